import type { OptionKey } from '../../../../core/schemas/option.ts';
import { EntryCard } from './entry-card.tsx';
import { entryLayouts } from './entry-shape.ts';
import { LogClearing } from './log-clearing.tsx';
import { MailTest } from './mail-test.tsx';
import { PriceCard } from './price-card.tsx';
import { SettingCard } from './setting-card.tsx';
import type { SettingCardEntry } from './setting-layout.ts';

interface SettingPanelProps {
  card: SettingCardEntry;
  shown?: OptionKey[];
}

/** The card in the form its settings ask for. */
export function SettingPanel({ card, shown }: SettingPanelProps) {
  if (card.key === 'price') return <PriceCard card={card} />;
  if (card.options.every((option) => entryLayouts[option])) return <EntryCard card={card} />;
  if (card.key === 'log') return <SettingCard {...{ card, shown }} extra={<LogClearing />} />;
  if (card.key === 'mail') return <SettingCard {...{ card, shown }} extra={<MailTest />} />;
  return <SettingCard {...{ card, shown }} />;
}
