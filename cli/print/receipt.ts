import stringWidth from 'string-width';
import type { PriceLine, Receipt } from '../../core/billing/price.ts';
import { firstTokenText } from '../../core/schemas/first-token.ts';
import type { Log } from '../../core/schemas/log.ts';
import type { Sentence, Speak } from '../text.ts';
import { attemptsOf, failureOf, type ReceiptAttempt, readOther } from './log-record.ts';

interface ReceiptRow {
  what: string;
  /** `count x rate`; '' where only the amount means something. */
  sum: string;
  amount: string;
}

/** The sum as a person reads it, numbers under numbers, ending with what was charged. */
export function receiptText(receipt: Receipt, charged: number, quotaPerUnit: number, speak: Speak): string[] {
  const dollars = `$${(receipt.quota / quotaPerUnit).toFixed(6)}`;
  const rows = receipt.lines.map((line) => rowOf(line, speak));
  const total = { what: speak('receipt.total'), sum: '', amount: String(receipt.quota) };
  const width = (key: keyof ReceiptRow) => Math.max(...[...rows, total].map((row) => stringWidth(row[key])));
  const [what, sum, amount] = [width('what'), width('sum'), width('amount')];
  const lines = [...rows, total].map(
    (row) =>
      `  ${row.what}${' '.repeat(what - stringWidth(row.what))}  ${row.sum.padStart(sum)} = ${row.amount.padStart(amount)}`,
  );
  lines.push(`${lines.pop()}  (${dollars})`);
  lines.push(...termLines(receipt, speak));
  if (receipt.quota !== charged) lines.push(`  ${speak('receipt.differs', { quota: receipt.quota, charged })}`);
  return lines;
}

function termLines({ terms = {} }: Receipt, speak: Speak): string[] {
  const { longPrompt, tiers = [] } = terms;
  return [
    ...(longPrompt ? [`  ${speak('receipt.longPrompt', { ...longPrompt })}`] : []),
    ...tiers.map((tier) => `  ${speak('receipt.tier', tier)}`),
  ];
}

function rowOf({ what, count, rate, amount }: PriceLine, speak: Speak): ReceiptRow {
  const sentence: Sentence = `receipt.${what}`;
  return { what: speak(sentence), sum: what === 'rounding' ? '' : `${count} x ${rate}`, amount };
}

/** Nothing was charged, and why. */
export function failureText(log: Pick<Log, 'type' | 'other'>, speak: Speak): string[] {
  const failure = failureOf(log);
  return failure ? [`  ${speak('receipt.failed', failure)}`] : [];
}

function attemptText(
  { channel, name, key, outcome, ms, conversation, continued, message, spent }: ReceiptAttempt,
  speak: Speak,
): string {
  const facts = [
    `${ms} ms`,
    ...(continued ? [speak(`receipt.continued.${continued}`)] : []),
    ...(spent ? [speak('receipt.spent', { tokens: spent.prompt + spent.completion })] : []),
    ...(conversation ? [speak(`receipt.conversation.${conversation}`)] : []),
  ];
  const place = [`#${channel}`, name, key && speak('receipt.key', { key })].filter(Boolean).join(' ');
  return `${place} ${outcome} (${facts.join(', ')})${message ? `: ${message}` : ''}`;
}

/** What was tried, in order, and where the counts come from. */
export function historyText(log: Pick<Log, 'other'>, speak: Speak): string[] {
  const other = readOther(log.other);
  const attempts = attemptsOf(log);
  const tried = attempts.map((attempt) => attemptText(attempt, speak)).join(' → ');
  return [
    ...(tried ? [`  ${speak('receipt.attempts')}: ${tried}`] : []),
    ...attempts.flatMap(({ channel, first_token: limit }) =>
      limit ? [`  ${speak('receipt.firstToken', { channel, what: firstTokenText(limit) })}`] : [],
    ),
    ...(other.usage_source ? [`  ${speak('receipt.usage', { source: other.usage_source })}`] : []),
  ];
}
