import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Bucket, Unit } from './usage-series.ts';

/** How the time of a bar reads: hours where the bars are hours, else the day. */
export function useBucketTime(unit: Unit) {
  const { i18n } = useTranslation();
  const language = i18n.language === 'en' ? 'en-GB' : 'zh-CN';
  return useMemo(() => {
    const day = { month: language === 'zh-CN' ? '2-digit' : 'short', day: 'numeric' } as const;
    const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
    const format = new Intl.DateTimeFormat(language, unit === 'hour' ? { ...day, ...clock } : day);
    return ({ start }: Pick<Bucket, 'start'>) => format.format(new Date(start * 1000));
  }, [language, unit]);
}
