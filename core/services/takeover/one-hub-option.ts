import type { OptionKey } from '../../schemas/option.ts';
import { textOf } from './field.ts';
import type { TakeoverSource } from './source.ts';
import type { SourceRow } from './source-reader.ts';

/** one-hub counts prices in units of 0.002 dollars, as a ratio of 1 does here. */
const dollarsPerRatio = 0.002;

/** Groups and prices have tables of their own there, and are settings here. */
export async function optionsFromOneHub(source: TakeoverSource): Promise<[OptionKey, string][]> {
  const groups = await source.all('user_groups');
  const prices = await source.all('prices');
  const [perToken, perCall] = [prices.filter((row) => !isPerCall(row)), prices.filter(isPerCall)];
  const isOpen = ({ public: open }: SourceRow) => open === true || Number(open) === 1;
  const options: [OptionKey, [string, number | string][]][] = [
    ['GroupRatio', groups.map((row) => [textOf(row, 'symbol'), numberOf(row, 'ratio', 1)])],
    ['UserUsableGroups', groups.filter(isOpen).map((row) => [textOf(row, 'symbol'), textOf(row, 'name')])],
    ['ModelRatio', perToken.map((row) => [textOf(row, 'model'), numberOf(row, 'input')])],
    ['CompletionRatio', perToken.flatMap(completionOf)],
    ['ModelPrice', perCall.map((row) => [textOf(row, 'model'), exact(numberOf(row, 'input') * dollarsPerRatio)])],
  ];
  return options.flatMap(([key, entries]): [OptionKey, string][] => {
    const named = entries.filter(([name]) => name !== '');
    return named.length === 0 ? [] : [[key, JSON.stringify(Object.fromEntries(named))]];
  });
}

const isPerCall = (row: SourceRow) => textOf(row, 'type') === 'times';

function completionOf(row: SourceRow): [string, number][] {
  const [input, output] = [numberOf(row, 'input'), numberOf(row, 'output')];
  // A multiple of nothing says nothing.
  return input === 0 ? [] : [[textOf(row, 'model'), exact(output / input)]];
}

function numberOf(row: SourceRow, name: string, fallback = 0): number {
  const number = Number(row[name] ?? fallback);
  return Number.isFinite(number) ? number : fallback;
}

/** Without the tail of a binary fraction. */
const exact = (value: number) => Number(value.toPrecision(12));
