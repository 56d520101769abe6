import { formatQuota, type QuotaFormat } from '../../billing/quota.ts';
import type { TokenRow } from '../../database/models/token.ts';
import { AppError } from '../../errors/app-error.ts';
import { neverExpires, tokenStatus } from '../../schemas/token-status.ts';

/** For a call that begins. */
export function requireUsable(token: TokenRow, now: number, format: () => QuotaFormat): void {
  const { name } = token;
  if (token.status === tokenStatus.exhausted) {
    throw new AppError('token.exhausted', {
      name,
      key: `#${token.id}`,
      used: formatQuota(token.used_quota, format()),
    });
  }
  if (token.status === tokenStatus.expired) throw new AppError('token.expired', { name });
  if (token.status !== tokenStatus.enabled) throw new AppError('token.disabled', { name });
  if (token.expired_time !== neverExpires && token.expired_time <= now) throw new AppError('token.expired', { name });
}

/** For a call under way: what its token has become meanwhile. Its quota is the ledger's matter. */
export function tokenObjection(
  token: Pick<TokenRow, 'status' | 'expired_time'> | undefined,
  name: string,
  now: number,
): AppError | undefined {
  // Deleted: its owner has nothing to enable.
  if (!token) return new AppError('token.unknown', { key: `"${name}"` });
  if (token.status === tokenStatus.disabled) return new AppError('token.disabled', { name });
  const isExpired =
    token.status === tokenStatus.expired || (token.expired_time !== neverExpires && token.expired_time <= now);
  return isExpired ? new AppError('token.expired', { name }) : undefined;
}
