import type { Database } from '../../database/connect.ts';
import { parseRecord } from '../../lib/json-value.ts';
import type { Page, Paging } from '../../schemas/paging.ts';
import type { UserCreditEntry } from '../../schemas/user-inspection.ts';

interface StoredEntry extends Omit<UserCreditEntry, 'by'> {
  by_name: string;
  /** What the audit trail says of an adjustment, as JSON. */
  change: string;
}

// One shape of three tables; the numbers of accounts are text in the audit trail.
const entries = `
  SELECT id, 'order' AS kind, CASE WHEN complete_time > 0 THEN complete_time ELSE create_time END AS time,
    quota AS amount, status AS state, trade_no AS note, COALESCE((
      SELECT actor_name FROM audits
      WHERE object_kind = 'topUp' AND object_id = CAST(top_ups.id AS text) AND action = 'topUp.completeByHand' LIMIT 1
    ), '') AS by_name, '' AS change
  FROM top_ups WHERE user_id = :id
  UNION ALL
  SELECT id, 'code', redeemed_time, quota, 'success', name, '', '' FROM redemptions WHERE used_user_id = :id
  UNION ALL
  SELECT id, 'adjustment', created_at, 0, 'success', '', actor_name, after
  FROM audits WHERE object_kind = 'user' AND object_id = :object AND action = 'user.quota'`;

/** Orders, codes and adjustments of one user, newest first. */
export async function readCreditEntries(
  database: Database,
  id: number,
  { page, page_size }: Paging,
): Promise<Page<UserCreditEntry>> {
  const replacements = { id, object: String(id), limit: page_size, offset: (page - 1) * page_size };
  const [counted] = await database.select<{ total: number }>(
    `SELECT count(*) AS total FROM (${entries}) AS entries`,
    replacements,
  );
  const rows = await database.select<StoredEntry>(
    `SELECT * FROM (${entries}) AS entries ORDER BY time DESC, kind, id DESC LIMIT :limit OFFSET :offset`,
    replacements,
  );
  return { items: rows.map(entryOf), page, page_size, total: counted?.total ?? 0 };
}

function entryOf({ change, by_name: by, ...row }: StoredEntry): UserCreditEntry {
  const after = parseRecord(change);
  const amount = typeof after?.amount === 'number' ? after.amount : row.amount;
  const note = typeof after?.note === 'string' ? after.note : row.note;
  return { ...row, amount, note, by };
}
