import i18next from 'i18next';
import { maxPriority, maxWeight, minPriority } from '../../../../core/schemas/channel-ranking.ts';

/** The two figures that order channels. */
export type Ranking = 'priority' | 'weight';

/** An emptied field leaves the figure as it is; a weight below 0 is 0. */
export function readRanking(name: Ranking, text: string): number | undefined {
  return name === 'priority' ? readPriority(text) : readWeight(text, true);
}

/** For a whole tag nothing is bent: a weight below 0 is refused. */
export function readTagRanking(name: Ranking, text: string): number | undefined {
  return name === 'priority' ? readPriority(text) : readWeight(text, false);
}

function readPriority(text: string): number | undefined {
  const value = readWhole(text);
  if (value === undefined) return undefined;
  if (!(value >= minPriority && value <= maxPriority)) throw new Error(i18next.t('channel:form.priorityWhole'));
  return value;
}

function readWeight(text: string, isClamped: boolean): number | undefined {
  const given = readWhole(text);
  if (given === undefined) return undefined;
  const value = isClamped ? Math.max(given, 0) : given;
  if (!(value >= 0 && value <= maxWeight)) throw new Error(i18next.t('channel:form.weightWhole'));
  return value;
}

/** NaN for what is not a whole number, which lies in no range. */
function readWhole(text: string): number | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  return /^-?\d+$/.test(trimmed) ? Number(trimmed) : Number.NaN;
}
