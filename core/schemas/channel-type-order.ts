import type { Language } from '../text/detail.ts';
import { channelTypeLabel } from './channel-type.ts';
import type { ChannelType } from './channel-type-description.ts';
import { channelTypes } from './channel-type-list.ts';

/** Common ones first, in the order most people look for them. */
const commonTypes = [1, 14, 24, 43, 3, 17, 25, 26, 45, 40, 20, 48, 33, 41, 4, 8];

function placeOf({ number }: ChannelType): number {
  const place = commonTypes.indexOf(number);
  return place < 0 ? commonTypes.length : place;
}

/** Types as they are offered: those that most people use, then the others by name. */
export function orderedChannelTypes(language: Language): readonly ChannelType[] {
  const labelOf = ({ number }: ChannelType) => channelTypeLabel(number, language);
  return [...channelTypes].sort(
    (one, other) => placeOf(one) - placeOf(other) || labelOf(one).localeCompare(labelOf(other), language),
  );
}

/**
 * Those that go by what was typed: the one with this number, else names that begin with it, names and models that contain it. Of
 * equals the common one comes first, then the shorter name.
 */
export function findChannelTypes(
  typed: string,
  language: Language,
  modelLists: Readonly<Record<string, readonly string[]>>,
): ChannelType[] {
  const text = typed.trim().toLowerCase();
  // Alone, because a field of choices picks the first name that begins with what was typed: for 3 that would be 360.
  const numbered = channelTypes.filter(({ number }) => String(number) === text);
  if (numbered.length > 0) return numbered;
  const rankOf = (type: ChannelType): number => {
    const names = [type.name, type.label, channelTypeLabel(type.number, 'zh')].map((name) => name.toLowerCase());
    const models = (modelLists[type.number] ?? []).map((model) => model.toLowerCase());
    return [
      names.some((name) => name.startsWith(text)),
      names.some((name) => name.split(/[\s-]/).some((word) => word.startsWith(text))),
      models.some((model) => model.startsWith(text)),
      names.some((name) => name.includes(text)),
      models.some((model) => model.includes(text)),
    ].indexOf(true);
  };
  return orderedChannelTypes(language)
    .map((type) => ({ type, rank: rankOf(type) }))
    .filter(({ rank }) => rank >= 0)
    .sort(
      (one, other) =>
        one.rank - other.rank ||
        placeOf(one.type) - placeOf(other.type) ||
        one.type.label.length - other.type.label.length,
    )
    .map(({ type }) => type);
}
