import type { Actor } from '../../schemas/actor.ts';
import type { Audit } from '../../schemas/audit.ts';
import type { Page, Paging } from '../../schemas/paging.ts';
import { type ListedPrice, listedPriceSchema, type PriceHistoryRow, priceOrigins } from '../../schemas/price-sync.ts';
import type { AuditService } from '../audit.ts';

export type PriceHistoryService = ReturnType<typeof createPriceHistory>;

const noFilters = { action: 'price.change', object_kind: 'price', actor: '', start_timestamp: 0, end_timestamp: 0 };

/** Every change of a price, which the audit log holds: nothing removes its rows. */
export function createPriceHistory({ audit }: { audit: Pick<AuditService, 'list'> }) {
  return {
    /** Newest first; of every model where none is named. */
    async list(actor: Actor, { model, ...paging }: Paging & { model: string }): Promise<Page<PriceHistoryRow>> {
      const { items, ...page } = await audit.list(actor, { ...noFilters, ...paging, object_id: model });
      return { ...page, items: items.map(rowOf) };
    },
  };
}

function rowOf({ id, created_at, actor_id, actor_name, object_id, before, after }: Audit): PriceHistoryRow {
  const origin: PriceHistoryRow['origin'] = priceOrigins.find((one) => one === after?.origin) ?? '';
  const list = typeof after?.list === 'string' ? after.list : '';
  const row = { id, created_at, actor_id, actor_name, model: object_id, origin, list };
  return { ...row, before: priceIn(before), after: priceIn(after) };
}

/** Null where the model had no price. */
function priceIn(values: Audit['after']): ListedPrice | null {
  const { data } = listedPriceSchema.safeParse(values ?? {});
  return data && Object.keys(data).length > 0 ? data : null;
}
