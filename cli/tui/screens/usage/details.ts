import type { UsageSubject, UsageSum } from '../../../../core/schemas/usage-report.ts';
import type { Sentence } from '../../../text.ts';
import type { Detail } from '../../components/details.tsx';
import type { Environment } from '../../environment.ts';
import { grouped } from '../../grouped.ts';

/** All sums of a list with the minutes they are from and until. */
export interface UsageRange {
  sums: UsageSum[];
  since: string;
  until: string;
}

const labels: Record<UsageSubject, Sentence> = {
  model: 'tui.usage.field.model',
  user: 'tui.usage.field.user',
  channel: 'tui.usage.field.channel',
  day: 'tui.usage.field.day',
};

interface UsagePrices {
  quota(units: number): string;
  /** Of one request, with its digits below a cent. */
  cost(units: number): string;
}

/** A sum beside the whole, and what one request of it took and cost on average. */
export function sumDetails(
  sum: UsageSum,
  { by, range: { sums, since, until } }: { by: UsageSubject; range: UsageRange },
  { speak }: Environment,
  { quota, cost }: UsagePrices,
): Detail[] {
  const { calls, tokens } = sum;
  const average = (total: number) => (calls > 0 ? Math.round(total / calls) : 0);
  const all = totalOf(sums, 'quota');
  return [
    [speak(labels[by]), nameOf(sum)],
    [speak('tui.usage.field.spent'), quota(sum.quota)],
    [speak('tui.usage.field.share'), all > 0 ? `${((sum.quota / all) * 100).toFixed(1)} %` : ''],
    [speak('tui.usage.field.calls'), grouped(calls)],
    [speak('tui.usage.field.tokens'), grouped(tokens)],
    [speak('tui.usage.field.callCost'), calls > 0 ? cost(average(sum.quota)) : ''],
    [speak('tui.usage.field.callTokens'), calls > 0 ? grouped(average(tokens)) : ''],
    [speak('tui.usage.field.since'), since],
    [speak('tui.usage.field.until'), until],
  ];
}

/** What is gone has only its number. */
export const nameOf = ({ name, id }: UsageSum): string => name || `#${id}`;

export function totalOf(sums: UsageSum[], field: 'calls' | 'tokens' | 'quota'): number {
  return sums.reduce((total, sum) => total + sum[field], 0);
}
