import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { channelTypeLabel } from '../../../../core/schemas/channel-type.ts';
import type { Language } from '../../i18n/language.ts';

/** The reader's language, for texts that come with their object instead of from the catalog. */
export function useLanguage(): Language {
  const { i18n } = useTranslation();
  return i18n.language as Language;
}

/** What a type is called where people read: vendors with a name of their own in Chinese have it. */
export function useTypeName(): (type: number) => string {
  const language = useLanguage();
  return useCallback((type) => channelTypeLabel(type, language), [language]);
}
