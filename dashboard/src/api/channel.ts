import { useMutation, useQuery } from '@tanstack/react-query';
import type { JsonObject } from '../../../core/lib/json-value.ts';
import type { Channel } from '../../../core/schemas/channel.ts';
import { maxPageSize } from '../../../core/schemas/page-size.ts';
import type { ListQuery, ListResult } from '../components/list/use-list.ts';
import { randomUuid } from '../state/random-uuid.ts';
import { createStoredValue } from '../state/stored-value.ts';
import { ApiError } from './api-error.ts';
import { api } from './client.ts';
import { queryClient } from './query-client.ts';

export type ChannelFilters = {
  keyword: string;
  model: string;
  group: string;
  /** 'true' or ''. */
  id_sort: string;
  tag_mode: string;
};

/** The channels of one tag, as one row. */
export interface TagGroup {
  /** Below 0, so that it is not a channel's. */
  id: number;
  tag: string;
  channels: Channel[];
}

export type ChannelRow = Channel | TagGroup;

export const isGroup = (row: ChannelRow): row is TagGroup => 'channels' in row;

/** The routes count from 0 and do not count rows; with `tag_mode` a page is one of tags, and of channels without one. */
export async function listChannels(query: ListQuery<ChannelFilters>): Promise<ListResult<ChannelRow>> {
  const { page, pageSize, filters, sort, signal } = query;
  const isSearch = [filters.keyword, filters.model, filters.group].some((text) => text !== '');
  const channels = await api.get<Channel[]>(isSearch ? '/api/channel/search' : '/api/channel/', {
    query: { ...filters, sort, p: page - 1, page_size: pageSize },
    signal,
  });
  return { items: filters.tag_mode ? groupByTag(channels) : channels };
}

function groupByTag(channels: Channel[]): ChannelRow[] {
  const groups = new Map<string, Channel[]>();
  for (const channel of channels) {
    if (channel.tag) groups.set(channel.tag, [...(groups.get(channel.tag) ?? []), channel]);
  }
  const tags = [...groups.keys()].sort();
  const rows: ChannelRow[] = tags.map((tag, index) => ({ id: -1 - index, tag, channels: groups.get(tag) ?? [] }));
  return [...rows, ...channels.filter(({ tag }) => !tag)];
}

/** The newest channels of a name: creating does not tell the ids. */
export async function newestNamed(name: string, count: number): Promise<Channel[]> {
  const found = await api.get<Channel[]>('/api/channel/search', {
    query: { keyword: name, id_sort: true, page_size: maxPageSize },
  });
  return found.filter((channel) => channel.name === name).slice(0, count);
}

export const refreshChannels = () => queryClient.invalidateQueries({ queryKey: ['channel'] });

/** Seconds it took; rejects with what the upstream said. */
export const testChannel = async (id: number, model?: string): Promise<number> =>
  (await api.whole<never, { time: number }>(`/api/channel/test/${id}`, { query: { model } })).time;

/** Of a run over many channels. */
export interface RunProgress {
  running: boolean;
  total: number;
  failed: { id: number; name: string; reason: string }[];
  disabled: number;
  /** False when nothing runs: it was stopped, or its server is gone. */
  finished: boolean;
}

export interface TestProgress extends RunProgress {
  tested: number;
  enabled: number;
}

export interface BalanceProgress extends RunProgress {
  /** Channels it is through with; those whose vendor tells no balance are neither updated nor failed. */
  asked: number;
  updated: number;
}

export const startTestAll = () => api.get('/api/channel/test');
export const readTestProgress = () => api.get<TestProgress>('/api/channel/test/progress');
export const startBalances = () => api.get('/api/channel/update_balance', { query: { wait: false } });
export const readBalanceProgress = () => api.get<BalanceProgress>('/api/channel/update_balance/progress');

/** The models an upstream serves: of a stored channel, or of one that is being filled in. */
export const fetchModels = (source: number | Record<string, unknown>) =>
  typeof source === 'number'
    ? api.get<string[]>(`/api/channel/fetch_models/${source}`)
    : api.post<string[]>('/api/channel/fetch_models', source).catch(inItsWords);

/** What the upstream refuses comes with status 500 here, which else stands for a fault of this server. */
function inItsWords(error: unknown): never {
  throw error instanceof ApiError && error.status === 500 ? new ApiError(error.refusal, error) : error;
}

export const revealKey = async (id: number, password: string): Promise<string> =>
  (await api.post<{ key: string }>(`/api/channel/${id}/key`, { password })).key;

/** Everything that is done to channels; the list follows. */
export function useChannelActions() {
  const create = useAction((fields: JsonObject) => api.post('/api/channel/', fields));
  const update = useAction((fields: JsonObject) => api.put('/api/channel/', fields));
  const setStatusOf = useAction((fields: { ids: number[]; status: 1 | 2 }) =>
    api.post<number>('/api/channel/batch/status', fields),
  );
  const copy = useAction((id: number) =>
    // A browser may send a request again by itself.
    api.post<Channel>(`/api/channel/copy/${id}`, undefined, { query: { request_key: randomUuid() } }),
  );
  const remove = useAction((id: number) => api.delete(`/api/channel/${id}`));
  const removeMany = useAction((ids: number[]) => api.post<number>('/api/channel/batch', { ids }));
  const removeDisabled = useAction(() => api.delete<number>('/api/channel/disabled'));
  const fix = useAction(() => api.post<number>('/api/channel/fix'));
  const setTagOf = useAction((fields: { ids: number[]; tag: string }) =>
    api.post<number>('/api/channel/batch/tag', fields),
  );
  const setTagStatus = useAction(({ tag, isOn }: { tag: string; isOn: boolean }) =>
    api.post<number>(`/api/channel/tag/${isOn ? 'enabled' : 'disabled'}`, { tag }),
  );
  const editTag = useAction((fields: JsonObject) => api.put<number>('/api/channel/tag', fields));
  const updateBalance = useAction(
    async (id: number) => (await api.whole<never, { balance: number }>(`/api/channel/update_balance/${id}`)).balance,
  );
  return {
    create,
    update,
    setStatusOf,
    copy,
    remove,
    removeMany,
    removeDisabled,
    fix,
    setTagOf,
    setTagStatus,
    editTag,
    updateBalance,
  };
}

function useAction<Input = void, Output = unknown>(run: (input: Input) => Promise<Output>) {
  return useMutation({ mutationFn: run, onSettled: refreshChannels }).mutateAsync;
}

export const readChannel = (id: number, signal?: AbortSignal) =>
  api.get<Channel>(`/api/channel/${id}`, signal ? { signal } : {});

export const useChannel = (id: number | undefined) =>
  useQuery({
    queryKey: ['channel', 'one', id],
    queryFn: ({ signal }) => readChannel(id ?? 0, signal),
    enabled: id !== undefined,
    // A form starts from what is stored now.
    staleTime: 0,
    gcTime: 0,
  });

export const useKnownModels = () =>
  useQuery({
    queryKey: ['model', 'known'],
    queryFn: async ({ signal }) =>
      (await api.get<{ id: string }[]>('/api/channel/models', { signal })).map(({ id }) => id),
    staleTime: 60_000,
  });

type ModelLists = Record<string, string[]>;

const storedModelLists = createStoredValue<ModelLists>('channel-models', (stored) =>
  typeof stored === 'object' && stored !== null ? (stored as ModelLists) : {},
);

/** Models usual for each type, by its number. */
export function useModelLists(): ModelLists {
  const query = useQuery({
    queryKey: ['model', 'lists'],
    queryFn: async ({ signal }) => {
      const lists = await api.get<ModelLists>('/api/models', { signal });
      storedModelLists.set(lists);
      return lists;
    },
    placeholderData: () => storedModelLists.get(),
    staleTime: 60_000,
  });
  return query.data ?? {};
}
