import { queryOptions, useQuery } from '@tanstack/react-query';
import type { OptionConflict, OptionDetail, OptionSet } from '../../../core/schemas/option.ts';
import { ApiError } from './api-error.ts';
import { api } from './client.ts';
import { queryClient } from './query-client.ts';

const settings = {
  queryKey: ['setting'],
  queryFn: ({ signal }: { signal?: AbortSignal }) =>
    api.get<OptionDetail[]>('/api/option/detail', signal ? { signal } : {}),
};

export const useSettingsQuery = () => useQuery(settings);

/** As they are now, whatever was read before; everything that follows from them is read again, too. */
export async function readSettings(): Promise<OptionDetail[]> {
  const details = await queryClient.fetchQuery({ ...settings, staleTime: 0 });
  const isOther = ({ queryKey }: { queryKey: readonly unknown[] }) => queryKey[0] !== 'setting';
  void queryClient.invalidateQueries({ predicate: isOther });
  return details;
}

/** What output costs as a multiple of input, by model; read again when prices were saved. */
export const completionRatioOptions = queryOptions({
  queryKey: ['completion-ratio'],
  queryFn: ({ signal }) => api.get<Record<string, number>>('/api/option/completion_ratio', { signal }),
});

/** What another user has changed since the settings were read; undefined when a save failed for another reason. */
export function conflictsOf(error: unknown): OptionConflict[] | undefined {
  const data = error instanceof ApiError && error.status === 409 ? error.data : undefined;
  return (data as { conflicts?: OptionConflict[] } | undefined)?.conflicts;
}

/** All of them or none; with the version that was read, none overwrites another user's change. */
export const saveSettings = (options: OptionSet[], confirmKeepSecret: boolean) =>
  api.put('/api/option/batch', { options, confirmKeepSecret });

export const resetModelRatio = () => api.post('/api/option/rest_model_ratio');

export const sendTestMail = (email: string) => api.post('/api/option/test_mail', { email });

/** Resolves with how many rows went. */
export const clearLogs = (before: number) => api.delete<number>('/api/log/', { query: { target_timestamp: before } });
