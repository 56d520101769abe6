import { useQuery } from '@tanstack/react-query';
import type { ModelHealth } from '../../../core/schemas/channel-health.ts';
import { api } from './client.ts';
import { sharedPollMs } from './retry.ts';

/** The models of one channel, or the channels of one model. */
export type HealthOf = { channel_id: number } | { model: string };

/** Read again by itself, on pages whose state is read again, too. */
export const useChannelHealth = (of: HealthOf) =>
  useQuery({
    queryKey: ['channel', 'health', of],
    refetchInterval: sharedPollMs,
    queryFn: ({ signal }) => api.get<ModelHealth[]>('/api/channel/health', { query: of, signal }),
  });
