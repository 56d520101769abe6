import type { Audit } from '../../../core/schemas/audit.ts';
import type { Page } from '../../../core/schemas/paging.ts';
import type { ListQuery, ListResult } from '../components/list/use-list.ts';
import { api } from './client.ts';

export type AuditFilters = { action: string; actor: string; object_kind: string; object_id: string };

export async function listAudit(query: ListQuery<AuditFilters>): Promise<ListResult<Audit>> {
  const { page, pageSize, filters, signal } = query;
  const { items, total } = await api.get<Page<Audit>>('/api/audit/', {
    query: { ...filters, p: page, page_size: pageSize },
    signal,
  });
  return { items, total };
}
