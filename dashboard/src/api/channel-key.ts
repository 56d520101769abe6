import { useMutation, useQuery } from '@tanstack/react-query';
import type { ChannelKey } from '../../../core/schemas/channel-key.ts';
import { refreshChannels } from './channel.ts';
import { api } from './client.ts';

export const useChannelKeys = (id: number) =>
  useQuery({
    queryKey: ['channel', 'keys', id],
    queryFn: ({ signal }) => api.get<ChannelKey[]>(`/api/channel/${id}/keys`, { signal }),
  });

/** Everything that is done to the keys of one channel; its page follows. */
export function useChannelKeyActions(id: number) {
  const post = <Input extends object>(tail: string) => ({
    mutationFn: (input: Input) => api.post<ChannelKey[]>(`/api/channel/${id}/keys${tail}`, input),
    onSettled: refreshChannels,
  });
  return {
    add: useMutation(post<{ key: string }>('')).mutateAsync,
    setStatus: useMutation(post<{ keys: number[]; status: 1 | 2 }>('/status')).mutateAsync,
    remove: useMutation(post<{ keys: number[] }>('/remove')).mutateAsync,
  };
}
