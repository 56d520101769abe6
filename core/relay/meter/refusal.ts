import { formatQuota, formatQuotas, type QuotaFormat } from '../../billing/quota.ts';
import type { Database } from '../../database/connect.ts';
import { AppError } from '../../errors/app-error.ts';
import type { CallIdentity } from '../call.ts';
import type { ChargeRefusal } from './charge.ts';

interface RefusalDependencies {
  database: Database;
  format(): QuotaFormat;
  nowSeconds(): number;
}

export interface RefusedHold {
  by: ChargeRefusal;
  needed: number;
  model: string;
  /** That it was to be taken from. */
  budgets: string;
}

const clockToleranceSeconds = 5;

/**
 * Why a hold was refused. The hold statement only knows that the row did not fit; who was short of what is read afterward, off
 * the path of the calls that are served.
 */
export async function explainRefusal(
  { caller }: Pick<CallIdentity, 'caller'>,
  refused: 'user' | 'token',
  needed: number,
  { database, format, nowSeconds }: RefusalDependencies,
): Promise<AppError> {
  const shortage = (balance: number) => {
    const [price = '', left = ''] = formatQuotas([needed, balance], format());
    return { needed: price, left };
  };
  if (refused === 'user') {
    const user = await database.users.findOne({ where: { id: caller.userId, deleted_at: null }, raw: true });
    if (user?.status !== 1) return new AppError('user.banned');
    return new AppError('quota.userInsufficient', shortage(user.quota));
  }
  const token = await database.tokens.findOne({ where: { id: caller.tokenId, deleted_at: null }, raw: true });
  const name = caller.tokenName;
  if (!token) return new AppError('token.unknown', { key: `"${name}"` });
  // With enough left it would not have been refused: the moment has only just passed, by the clock of the database.
  const fits = token.status === 1 && (token.unlimited_quota || token.remain_quota >= needed);
  const isOver = token.expired_time !== -1 && token.expired_time <= nowSeconds() + (fits ? clockToleranceSeconds : 0);
  if (isOver) return new AppError('token.expired', { name });
  if (token.remain_quota <= 0 || token.status === 4) {
    const used = formatQuota(token.used_quota, format());
    return new AppError('token.exhausted', { name, key: `#${token.id}`, used });
  }
  if (token.status !== 1) return new AppError('token.disabled', { name });
  return new AppError('quota.tokenInsufficient', { name, ...shortage(token.remain_quota) });
}
