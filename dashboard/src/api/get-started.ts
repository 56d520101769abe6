import { useQuery } from '@tanstack/react-query';
import { parseRecord } from '../../../core/lib/json-value.ts';
import type { Channel } from '../../../core/schemas/channel.ts';
import type { Log, LogPage } from '../../../core/schemas/log.ts';
import { logType } from '../../../core/schemas/log-type.ts';
import type { SetupSteps } from '../../../core/schemas/setup.ts';
import type { Token } from '../../../core/schemas/token.ts';
import { tokenStatus } from '../../../core/schemas/token-status.ts';
import { api } from './client.ts';
import { queryClient } from './query-client.ts';
import { idlePollMs } from './retry.ts';

/** What there is of each step; all of it is read from the server, so any browser goes on where another one stopped. */
export interface FirstSteps {
  channel: Channel | undefined;
  /** The newest one that works. */
  token: Token | undefined;
  /** The first one that was served. */
  request: Log | undefined;
}

/** How far a fresh installation has come. */
export const useFirstSteps = (isWanted: boolean) =>
  useQuery({
    queryKey: ['first-steps', 'rows'],
    enabled: isWanted,
    staleTime: 0,
    queryFn: async ({ signal }): Promise<FirstSteps> => {
      const [channels, tokens, logs] = await Promise.all([
        api.get<Channel[]>('/api/channel/', { query: { p: 0, page_size: 1 }, signal }),
        api.get<Token[]>('/api/token/', { query: { p: 0, size: 10 }, signal }),
        // Oldest first: tests of channels stand among the first rows.
        api.get<LogPage>('/api/log/', { query: { type: logType.consume, after_id: 0, page_size: 100 }, signal }),
      ]);
      return {
        channel: channels[0],
        token: tokens.find(({ status, key_problem }) => status === tokenStatus.enabled && !key_problem),
        request: logs.items.find((log) => !isChannelTest(log)),
      };
    },
  });

/** Which steps are done, for the card of the overview. */
export const useSetupSteps = (isWanted: boolean) =>
  useQuery({
    queryKey: ['first-steps', 'done'],
    enabled: isWanted,
    staleTime: 0,
    queryFn: ({ signal }) => api.get<SetupSteps>('/api/setup/steps', { signal }),
  });

export const refreshFirstSteps = () => queryClient.invalidateQueries({ queryKey: ['first-steps'] });

const isChannelTest = ({ other }: Log): boolean => parseRecord(other)?.channel_test === true;

const soonMs = 2000;
/** After this long without a request, the page asks no more often than any other one. */
const patienceMs = 180_000;

/** The newest request that was served or failed; asked for while the page is visible. */
export const useNewestRequest = (isWaiting: boolean) =>
  useQuery<NewestRequest>({
    queryKey: ['newest-request'],
    enabled: isWaiting,
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => (data && Date.now() - data.since > patienceMs ? idlePollMs : soonMs),
    queryFn: async ({ signal }) => {
      const known = queryClient.getQueryData<NewestRequest>(['newest-request']);
      const { items } = await api.get<LogPage>('/api/log/', { query: { p: 1, page_size: 20 }, signal });
      const request = items.find(
        (log) => log.type === logType.error || (log.type === logType.consume && !isChannelTest(log)),
      );
      return { request: request ?? null, since: known?.since ?? Date.now() };
    },
  });

interface NewestRequest {
  request: Log | null;
  /** When the page began to wait. */
  since: number;
}
