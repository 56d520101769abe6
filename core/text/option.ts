import en from './en/option.json' with { type: 'json' };
import type { Language } from './filler.ts';
import zh from './zh/option.json' with { type: 'json' };

/** What people read about the settings, their cards, tabs and units; the dashboard reads the same files. */
export const optionTexts: Record<Language, typeof en> = { en, zh };

export const optionText = (language: Language, key: keyof typeof en.option) => optionTexts[language].option[key];
