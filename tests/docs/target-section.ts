import { type Target, targets } from '../bench/targets.ts';
import { markdownTable } from './markdown.ts';

/** The figures of the benchmark and what they are held against. */
export function targetTable(): string {
  const limit = ({ unit }: Target, value: number | undefined) =>
    value === undefined ? '' : `${value === 0 ? '0' : `≤ ${value}`} ${unit}`.trim();
  return markdownTable(
    ['Figure', 'Must', 'Goal'],
    Object.values<Target>(targets).map((target) => [
      target.figure,
      limit(target, target.must),
      limit(target, target.goal),
    ]),
  );
}
