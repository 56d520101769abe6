import { useRef } from 'react';
import type { Log } from '../../../../core/schemas/log.ts';
import { maxCounted, maxPageSize } from '../../../../core/schemas/page-size.ts';
import type { ListRequest } from '../../components/list-screen.tsx';
import { useEnvironment } from '../../environment.ts';
import type { ListPage } from '../../hooks/use-list.ts';
import { type LogScope, readLogs } from './read-logs.ts';

/** Reads pages of the log. Those too deep to be counted to begin behind the last row of a page that was shown. */
export function useLogPages(scope: LogScope): (request: ListRequest) => Promise<ListPage<Log>> {
  const environment = useEnvironment();
  /** Ids by the number of rows up to them. */
  const shown = useRef({ filter: '', ids: new Map<number, number>() });

  return async (request) => {
    const filter = JSON.stringify([request.keyword, request.values]);
    if (shown.current.filter !== filter) shown.current = { filter, ids: new Map() };
    const { ids } = shown.current;
    const before = (request.page - 1) * request.page_size;
    // Another window height makes other pages, which begin a few rows behind the end of one that was shown.
    const from = Math.max(0, ...[...ids.keys()].filter((count) => count <= before));
    const page_size = before - from + request.page_size;
    if (before < maxCounted || page_size > maxPageSize) {
      const page = await readLogs(environment, request, scope);
      remember(page.items);
      return page;
    }
    const { items: found } = await readLogs(environment, { ...request, page: 1, page_size }, scope, ids.get(from));
    const items = found.slice(before - from);
    remember(items);
    const isCapped = found.length === page_size;
    const total = before + items.length + (isCapped ? 1 : 0);
    return { items, total, total_capped: isCapped, page: request.page, page_size: request.page_size };

    function remember(items: Log[]): void {
      const last = items.at(-1);
      if (last) ids.set(before + items.length, last.id);
    }
  };
}
