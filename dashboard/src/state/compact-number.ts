import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';

/** Short from ten thousand on, such as `12.4K`, in the units of the language; smaller numbers are written out. */
export function useCompactNumber(): (value: number) => string {
  const { i18n } = useTranslation();
  return useMemo(() => {
    const language = i18n.language === 'en' ? 'en-US' : 'zh-CN';
    const whole = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
    const compact = new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 1 });
    return (value) => (Math.abs(value) < 10_000 ? whole : compact).format(value);
  }, [i18n.language]);
}

const sizes = new Intl.NumberFormat('en-US', { notation: 'compact', maximumSignificantDigits: 3 });

/** The size of a context, such as `128K`, as providers write it in every language. */
export const contextSize = (tokens: number): string => sizes.format(tokens);
