import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';

/** `12.4K` or `1.2万` from ten thousand on; what is smaller is written out. */
export function useCompactNumber(): (value: number) => string {
  const { i18n } = useTranslation();
  return useMemo(() => {
    const language = i18n.language === 'en' ? 'en-US' : 'zh-CN';
    const whole = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
    const compact = new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 1 });
    return (value) => (Math.abs(value) < 10_000 ? whole : compact).format(value);
  }, [i18n.language]);
}
