import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { type RunProgress, refreshChannels } from '../../api/channel.ts';
import { queryClient } from '../../api/query-client.ts';

const everyMs = 3000;
/** The rows are read again this often at most while a run goes on, and at its end. */
const rowsEveryMs = 10_000;

interface RunOptions<Progress extends RunProgress> {
  name: string;
  read: () => Promise<Progress>;
  start: () => Promise<unknown>;
}

/** A run over all channels: its progress, no matter who started it and which server does it; the rows follow. */
export function useRun<Progress extends RunProgress>({ name, read, start }: RunOptions<Progress>) {
  const queryKey = ['channel-run', name];
  const [isWatched, setWatched] = useState(false);
  const { data, dataUpdatedAt } = useQuery({
    queryKey,
    queryFn: read,
    refetchInterval: (query) => (query.state.data?.running ? everyMs : false),
  });
  const isRunning = data?.running ?? false;
  /** When the rows were read in the run that is seen going on; 0 in none. */
  const readAt = useRef(0);

  useEffect(() => {
    if (isRunning) setWatched(true);
  }, [isRunning]);
  useEffect(() => {
    const isDue = isRunning ? dataUpdatedAt - readAt.current >= rowsEveryMs : true;
    if (readAt.current > 0 && isDue) void refreshChannels();
    if (!isRunning) readAt.current = 0;
    else if (isDue) readAt.current = dataUpdatedAt;
  }, [isRunning, dataUpdatedAt]);

  return {
    /** Of a run that was seen going on; an older one is over for good. */
    progress: isWatched ? data : undefined,
    async start() {
      await start();
      setWatched(true);
      await queryClient.invalidateQueries({ queryKey });
      // It may be over by now.
      void refreshChannels();
    },
    dismiss: () => setWatched(false),
  };
}
