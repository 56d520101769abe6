import type { TokenRow } from '../../database/models/token.ts';
import { neverExpires, type Token, type TokenUsage, tokenStatus } from '../../schemas/token.ts';
import { deletedAt } from '../user/view.ts';

/** Everything but the key, which the caller masks or shows. Built field by field, so that no hash slips out. */
export function tokenView(row: TokenRow, now: number): Omit<Token, 'key'> {
  return {
    id: row.id,
    user_id: row.user_id,
    status: statusOf(row, now),
    name: row.name,
    created_time: row.created_time,
    accessed_time: row.accessed_time,
    expired_time: row.expired_time,
    remain_quota: row.remain_quota,
    unlimited_quota: Boolean(row.unlimited_quota),
    model_limits_enabled: Boolean(row.model_limits_enabled),
    model_limits: row.model_limits,
    allow_ips: row.allow_ips,
    used_quota: row.used_quota,
    group: row.group,
    DeletedAt: deletedAt(row.deleted_at),
  };
}

/** Expired and exhausted follow from the row itself; only imported rows have them stored. */
export function statusOf(
  row: Pick<TokenRow, 'status' | 'expired_time' | 'unlimited_quota' | 'remain_quota'>,
  now: number,
): number {
  if (row.status !== tokenStatus.enabled) return row.status;
  if (row.expired_time !== neverExpires && row.expired_time <= now) return tokenStatus.expired;
  return row.unlimited_quota || row.remain_quota > 0 ? tokenStatus.enabled : tokenStatus.exhausted;
}

/** For callers with the key: without data of its owner. */
export function usageView(row: TokenRow): TokenUsage {
  const models = row.model_limits.split(',').filter(Boolean);
  return {
    object: 'token_usage',
    name: row.name,
    total_granted: row.remain_quota + row.used_quota,
    total_used: row.used_quota,
    total_available: row.remain_quota,
    unlimited_quota: Boolean(row.unlimited_quota),
    model_limits: Object.fromEntries(models.map((name) => [name, true as const])),
    model_limits_enabled: Boolean(row.model_limits_enabled),
    expires_at: Math.max(0, row.expired_time),
  };
}
