import type { QuotaFormat } from '../../billing/quota.ts';
import type { Database } from '../../database/connect.ts';
import type { AppError } from '../../errors/app-error.ts';
import type { Caller } from '../../services/caller.ts';
import type { Quote } from '../meter/quote.ts';
import { explainRefusal } from '../meter/refusal.ts';

interface BalanceDependencies {
  database: Database;
  quotaFormat(): QuotaFormat;
  nowSeconds(): number;
}

/** What the ledger would say to a hold; nothing is held. Undefined when it fits. */
export async function balanceObjection(
  caller: Caller,
  { amount }: Pick<Quote, 'amount'>,
  { database, quotaFormat, nowSeconds }: BalanceDependencies,
): Promise<AppError | undefined> {
  const [user, token] = await Promise.all([
    database.users.findOne({ where: { id: caller.userId, deleted_at: null }, raw: true }),
    database.tokens.findOne({ where: { id: caller.tokenId, deleted_at: null }, raw: true }),
  ]);
  const isShort = (quota: number | undefined) => quota === undefined || quota < amount;
  const refused = isShort(user?.quota)
    ? 'user'
    : !token?.unlimited_quota && isShort(token?.remain_quota)
      ? 'token'
      : '';
  return refused
    ? explainRefusal({ caller }, refused, amount, { database, format: quotaFormat, nowSeconds })
    : undefined;
}
