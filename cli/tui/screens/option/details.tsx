import { definitionOf, type OptionItem } from '../../../../core/schemas/option.ts';
import { optionText, optionTexts } from '../../../../core/text/option.ts';
import { type Detail, Details } from '../../components/details.tsx';
import { type Environment, useEnvironment } from '../../environment.ts';

/** Price maps have hundreds of entries; what is longer is read by `option get`. */
const maxShownLength = 20_000;

export function OptionDetails({ item }: { item: OptionItem }) {
  const environment = useEnvironment();
  const { label } = optionText(environment.language, item.key);
  const details = optionDetails(item, environment, maxShownLength);
  return <Details title={`${item.key}: ${label}`} details={details} />;
}

/** What a setting is for, what it is now and what it would be by default. */
export function optionDetails(
  item: OptionItem,
  { speak, language, symbols }: Environment,
  maxLength: number,
): Detail[] {
  const { key, card, has, secret } = item;
  const { label, hint } = optionText(language, key);
  const { write, default: fallback, unit } = definitionOf(key);
  const cards: Record<string, { title: string }> = optionTexts[language].card;
  const shorten = (text: string) => (text.length > maxLength ? text.slice(0, maxLength) + symbols.ellipsis : text);
  return [
    [speak('tui.option.detail.label'), label],
    [speak('tui.option.detail.key'), key],
    [speak('tui.option.field'), secret ? speak(has ? 'tui.option.isSet' : 'tui.option.isNotSet') : shorten(item.value)],
    ...(secret ? [] : [[speak('tui.option.detail.default'), shorten(write(fallback))] satisfies Detail]),
    ...(unit ? [[speak('tui.option.detail.unit'), optionTexts[language].unit[unit]] satisfies Detail] : []),
    [speak('tui.option.detail.own'), has ? speak('tui.option.isOwn') : ''],
    [speak('tui.option.detail.card'), cards[card]?.title ?? card],
    ['', ''],
    ['', hint],
  ];
}
