import type { Language } from '../../core/text/text.ts';
import { type Target, targets } from '../bench/targets.ts';
import { markdownTable } from './markdown.ts';

/** The figures of the benchmark and what they are held against. */
export function targetTable(language: Language): string {
  const limit = ({ unit }: Target, value: number | undefined) =>
    value === undefined ? '' : `${value === 0 ? '0' : `≤ ${value}`} ${unit}`.trim();
  return markdownTable(
    language === 'en' ? ['Figure', 'Must', 'Goal'] : ['指标', '必须', '目标'],
    Object.values<Target>(targets).map((target) => [
      target.figure[language],
      limit(target, target.must),
      limit(target, target.goal),
    ]),
  );
}
