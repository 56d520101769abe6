import { type Language, wordsIn } from '../text/detail.ts';
import type { ChannelType } from './channel-type-description.ts';
import { channelTypes } from './channel-type-list.ts';

const typesByNumber: ReadonlyMap<number, ChannelType> = new Map(channelTypes.map((type) => [type.number, type]));
const typesByName: ReadonlyMap<string, ChannelType> = new Map(channelTypes.map((type) => [type.name, type]));

export function channelTypeOf(number: number): ChannelType | undefined {
  return typesByNumber.get(number);
}

/** Reads a type given as text: its number or its name. */
export function findChannelType(text: string): ChannelType | undefined {
  return typesByName.get(text.toLowerCase()) ?? (/^\d+$/.test(text) ? typesByNumber.get(Number(text)) : undefined);
}

/** What a type is called where people read. */
export function channelTypeLabel(number: number, language: Language): string {
  return wordsIn(language, channelTypeWords(number));
}

/** The same for an error, which is put into a language later: a code, or the one name it has. */
export function channelTypeWords(number: number): string {
  const type = typesByNumber.get(number);
  return type?.ownLabel ?? type?.label ?? String(number);
}
