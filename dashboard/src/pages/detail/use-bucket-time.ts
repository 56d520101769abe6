import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { type Bucket, isSoFar, type Unit } from './usage-series.ts';

/** Of a mark at an axis, the end is not told. */
export type Bar = Pick<Bucket, 'start'> & Partial<Pick<Bucket, 'end'>>;

/** How the time of a bar reads: hours where the bars are hours, else the day; and whether it is not over yet. */
export function useBucketTime(unit: Unit) {
  const { t, i18n } = useTranslation('detail');
  const language = i18n.language === 'en' ? 'en-GB' : 'zh-CN';
  return useMemo(() => {
    const day = { month: language === 'zh-CN' ? '2-digit' : 'short', day: 'numeric' } as const;
    const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
    const format = new Intl.DateTimeFormat(language, unit === 'hour' ? { ...day, ...clock } : day);
    return ({ start, end }: Bar) => {
      const time = format.format(new Date(start * 1000));
      return end !== undefined && isSoFar({ end }) ? t('soFar.time', { time }) : time;
    };
  }, [language, unit, t]);
}
