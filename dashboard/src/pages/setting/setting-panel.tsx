import type { OptionCard } from '../../../../core/schemas/option/card.ts';
import { type OptionKey, optionsOfCard } from '../../../../core/schemas/option.ts';
import { EntryCard } from './entry-card.tsx';
import { entryLayouts } from './entry-shape.ts';
import { LogClearing } from './log-clearing.tsx';
import { MailTest } from './mail-test.tsx';
import { PriceCard } from './price-card.tsx';
import { SettingCard } from './setting-card.tsx';

interface SettingPanelProps {
  card: OptionCard;
  shown?: OptionKey[];
}

/** The card in the form its settings ask for. */
export function SettingPanel({ card, shown }: SettingPanelProps) {
  if (card === 'price') return <PriceCard card={card} />;
  if (optionsOfCard(card).every((option) => entryLayouts[option])) return <EntryCard card={card} />;
  if (card === 'log') return <SettingCard {...{ card, shown }} extra={<LogClearing />} />;
  if (card === 'mail') return <SettingCard {...{ card, shown }} extra={<MailTest />} />;
  return <SettingCard {...{ card, shown }} />;
}
