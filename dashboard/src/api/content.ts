import { queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';

export type ContentName = 'notice' | 'about' | 'home_page_content';

/** What the operator published: Markdown, HTML or a lone address; '' when nothing. */
export const contentOptions = (name: ContentName) =>
  queryOptions({
    queryKey: ['content', name],
    queryFn: ({ signal }) => api.get<string>(`/api/${name}`, { signal }),
    staleTime: 60_000,
  });
