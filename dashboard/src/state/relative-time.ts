import { useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from './format.ts';

const steps = [
  { unit: 'minute', seconds: 60, until: 3600 },
  { unit: 'hour', seconds: 3600, until: 86_400 },
] as const;

/** `14 minutes ago` within a day, else the date; a dash for 0. Unix seconds. */
export function useRelativeTime(): (seconds: number, now?: number) => string {
  const { t, i18n } = useTranslation('shell');
  const { date } = useFormat();
  const format = useMemo(() => new Intl.RelativeTimeFormat(i18n.language, { style: 'short' }), [i18n.language]);
  return useCallback(
    (seconds, now = Date.now() / 1000) => {
      if (seconds <= 0) return '–';
      const ago = now - seconds;
      if (ago < 60) return t('time.justNow');
      const step = steps.find(({ until }) => ago < until);
      return step ? spaced(format.format(-Math.floor(ago / step.seconds), step.unit)) : date(seconds);
    },
    [format, date, t],
  );
}

/** A space between a number and the Chinese word after it, as in all other texts. */
export const spaced = (text: string): string => text.replace(/(\d)(?=\p{Script=Han})/u, '$1 ');
