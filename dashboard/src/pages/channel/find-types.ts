import { channelTypes } from '../../../../core/schemas/channel-type.ts';

/** The types that go by what was typed, in lower case: its number first, then names that begin with it, names and models that contain it. */
export function findTypes(
  typed: string,
  typeName: (type: number) => string,
  modelLists: Record<string, string[]>,
): number[] {
  const rankOf = (type: (typeof channelTypes)[number]): number => {
    const names = [type.name, type.label, typeName(type.number)].map((name) => name.toLowerCase());
    const tests = [
      String(type.number) === typed,
      names.some((name) => name.startsWith(typed)),
      names.some((name) => name.split(/[\s-]/).some((word) => word.startsWith(typed))),
      (modelLists[type.number] ?? []).some((model) => model.toLowerCase().startsWith(typed)),
      names.some((name) => name.includes(typed)),
      (modelLists[type.number] ?? []).some((model) => model.toLowerCase().includes(typed)),
    ];
    return tests.indexOf(true);
  };
  return channelTypes
    .map((type) => ({ number: type.number, rank: rankOf(type) }))
    .filter(({ rank }) => rank >= 0)
    .sort((one, other) => one.rank - other.rank)
    .map(({ number }) => number);
}
