import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../state/format.ts';

/** Milliseconds as people read them: `820 ms`, `3.4 s`. */
export function useDuration(): (ms: number) => string {
  const { t } = useTranslation('overview');
  const format = useFormat();
  return useCallback(
    (ms) =>
      ms < 1000
        ? t('figure.milliseconds', { value: format.number(Math.round(ms)) })
        : t('figure.seconds', { value: format.number(Math.round(ms / 100) / 10) }),
    [t, format],
  );
}
