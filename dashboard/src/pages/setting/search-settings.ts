import { type OptionCard, type OptionTab, optionTabKeys, optionTabs } from '../../../../core/schemas/option/card.ts';
import { type OptionKey, optionsOfCard } from '../../../../core/schemas/option.ts';

export interface SettingHit {
  tab: OptionTab;
  hits: { card: OptionCard; shown: OptionKey[] }[];
}

interface SettingWords {
  ofCard(card: OptionCard): string;
  ofOption(key: OptionKey): { label: string; hint: string };
}

/** Cards and options whose name, description or key contains the text; all of a card whose own title does. */
export function searchSettings(text: string, { ofCard, ofOption }: SettingWords): SettingHit[] {
  const words = text.trim().toLowerCase();
  const isIn = (...texts: string[]) => texts.some((one) => one.toLowerCase().includes(words));
  const matches = (key: OptionKey) => {
    const { label, hint } = ofOption(key);
    return isIn(key, label, hint);
  };
  const seen = new Set<OptionCard>();
  const isFirst = (card: OptionCard) => !seen.has(card) && seen.add(card);
  return optionTabKeys
    .map((tab) => ({
      tab,
      // A card that is on two tabs is found once.
      hits: optionTabs[tab]
        .filter(isFirst)
        .map((card) => {
          const options = optionsOfCard(card);
          return { card, shown: isIn(ofCard(card)) ? options : options.filter(matches) };
        })
        .filter(({ shown }) => shown.length > 0),
    }))
    .filter(({ hits }) => hits.length > 0);
}
