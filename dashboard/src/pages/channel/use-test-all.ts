import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { readTestProgress, refreshChannels, startTestAll, type TestProgress } from '../../api/channel.ts';
import { queryClient } from '../../api/query-client.ts';

const everyMs = 2000;
/** How often in a run the rows are read anew. */
const stages = 10;
const queryKey = ['channel-test'];

/** The test of all channels: how far it is, whoever started it; the rows follow while it runs. */
export function useTestAll() {
  const [isWatched, setWatched] = useState(false);
  const { data } = useQuery({
    queryKey,
    queryFn: readTestProgress,
    refetchInterval: (query) => (query.state.data?.running ? everyMs : false),
  });
  const stage = data?.total ? Math.floor((data.tested / data.total) * stages) : 0;
  const isRunning = data?.running ?? false;

  useEffect(() => {
    if (isRunning) setWatched(true);
  }, [isRunning]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the finished tests are in the rows
  useEffect(() => {
    if (isWatched) void refreshChannels();
  }, [stage, isRunning, isWatched]);

  return {
    /** Of a run that was seen going on; an older one is over for good. */
    progress: isWatched ? data : undefined,
    async start() {
      await startTestAll();
      setWatched(true);
      await queryClient.invalidateQueries({ queryKey });
    },
    dismiss: () => setWatched(false),
  } satisfies { progress: TestProgress | undefined; start: () => Promise<void>; dismiss: () => void };
}
