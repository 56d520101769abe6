import type { OptionKey } from '../../../../core/schemas/option.ts';
import { optionTexts } from './setting-form.ts';
import { type SettingCardEntry, type SettingTabEntry, settingTabs } from './setting-layout.ts';

export interface SettingHit {
  tab: SettingTabEntry;
  hits: { card: SettingCardEntry; shown: OptionKey[] }[];
}

/** Cards and options whose name, description or key holds the text; all of a card whose own title does. */
export function searchSettings(text: string, language: string, t: (key: string) => string): SettingHit[] {
  const words = text.trim().toLowerCase();
  const isIn = (...texts: string[]) => texts.some((one) => one.toLowerCase().includes(words));
  const matches = (key: OptionKey) => {
    const { label, hint } = optionTexts(key, language);
    return isIn(key, label, hint);
  };
  const seen = new Set<SettingCardEntry>();
  const isFirst = (card: SettingCardEntry) => !seen.has(card) && seen.add(card);
  return settingTabs
    .map((tab) => ({
      tab,
      // A card that stands on two tabs is found once.
      hits: tab.cards
        .filter(isFirst)
        .map((card) => ({
          card,
          shown: isIn(t(`card.${card.key}.title`)) ? card.options : card.options.filter(matches),
        }))
        .filter(({ shown }) => shown.length > 0),
    }))
    .filter(({ hits }) => hits.length > 0);
}
