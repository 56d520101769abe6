import { AppError } from '../errors/app-error.ts';
import { isJsonObject } from '../lib/json-value.ts';
import type { BalanceQuery } from './adapter.ts';

/** How many yuan are one dollar where the operator has set no rate (product default). */
export const defaultYuanPerDollar = 7.3;

/** The billing pages of OpenAI's early days, which gateways still serve: limit in dollars, usage in cents. */
export function openAiBalance(base: string, key: string, today: string): BalanceQuery {
  const headers = { authorization: `Bearer ${key}` };
  const usageSince = (start: string) => `${base}/v1/dashboard/billing/usage?start_date=${start}&end_date=${today}`;
  const monthStart = `${today.slice(0, 8)}01`;
  const trialStart = new Date(Date.parse(today) - 100 * 86_400_000).toISOString().slice(0, 10);
  return {
    requests: [
      { url: `${base}/v1/dashboard/billing/subscription`, headers },
      { url: usageSince(monthStart), headers },
      { url: usageSince(trialStart), headers },
    ],
    read: ([subscription, month, trial]) => {
      // A trial's limit runs over all its days, a paying account's over the month.
      const usage = isJsonObject(subscription) && subscription.has_payment_method === true ? month : trial;
      return numberAt(subscription, 'hard_limit_usd') - numberAt(usage, 'total_usage') / 100;
    },
  };
}

/** A balance that one GET with the key as Bearer tells. */
export function simpleBalance(url: string, key: string, read: (body: unknown) => number): BalanceQuery {
  return { requests: [{ url, headers: { authorization: `Bearer ${key}` } }], read: ([body]) => read(body) };
}

/** The number at a path of member names; numbers written as text count too. */
export function numberAt(body: unknown, ...path: string[]): number {
  let value = body;
  for (const name of path) value = isJsonObject(value) ? value[name] : undefined;
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number))
    throw new AppError('provider.badAnswer', { what: path.join('.') });
  return number;
}
