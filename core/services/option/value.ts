import { createHash } from 'node:crypto';
import { builtinTables } from '../../billing/default-ratios.ts';
import { effectiveTables } from '../../billing/rates.ts';
import { AppError } from '../../errors/app-error.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import type { OptionFault } from '../../schemas/option/kind.ts';
import {
  definitionOf,
  isOptionKey,
  type OptionDetail,
  type OptionItem,
  type OptionKey,
  type OptionValues,
  optionKeys,
  priceOptionKeys,
} from '../../schemas/option.ts';
import { rateTablesOf } from '../pricing/pricing.ts';
import { openSecret } from '../secret.ts';

/** An option as it is stored: its text as it was typed, and what the text means. */
export interface StoredOption {
  text: string;
  value: unknown;
  /** Another one for every other stored text. */
  version: string;
}

export type StoredOptions = ReadonlyMap<OptionKey, StoredOption>;
export type ReadOption = <K extends OptionKey>(key: K) => OptionValues[K];

export const optionPlace = (key: OptionKey) => `options.value.${key}`;

/** What is in force: the stored value, or the default. */
export const reader =
  (stored: StoredOptions): ReadOption =>
  <K extends OptionKey>(key: K) =>
    (stored.get(key)?.value ?? definitionOf(key).default) as OptionValues[K];

/** All of them at once: calls ask for a dozen each. */
export const valuesOf = (stored: StoredOptions): ReadonlyMap<OptionKey, unknown> =>
  new Map(optionKeys.map((key) => [key, reader(stored)(key)]));

export function knownKey(key: string): OptionKey {
  if (!isOptionKey(key)) throw new AppError('option.unknown', { key: key.slice(0, 100) });
  return key;
}

/** Undefined for a row whose text no longer fits its kind. */
export function readRow(secretBox: SecretBox, key: OptionKey, column: string): StoredOption | undefined {
  const text = definitionOf(key).secret ? openSecret(secretBox, column, optionPlace(key)) : column;
  const reading = definitionOf(key).read(text);
  return 'value' in reading ? { text, value: reading.value, version: versionOf(column) } : undefined;
}

/** Of what the column contains, which is not the secret itself. */
export const versionOf = (column: string) => createHash('sha256').update(column).digest('hex').slice(0, 16);

export function readOrRefuse(key: OptionKey, typed: string): Pick<StoredOption, 'text' | 'value'> {
  const reading = definitionOf(key).read(typed);
  if ('fault' in reading) throw refusal(key, reading.fault);
  const value = withoutBuiltins(key, reading.value);
  return { value, text: value === reading.value ? asTyped(key, typed, value) : laidOutAs(key, value, typed) };
}

function refusal(key: OptionKey, { code, ...details }: OptionFault): AppError {
  return new AppError(`option.${code}`, { key, ...details });
}

/** Lines and JSON are laid out by people; everything else has one spelling. */
function asTyped(key: OptionKey, typed: string, value: unknown): string {
  const { kind, write } = definitionOf(key);
  return (kind === 'json' || kind === 'lines') && typed.trim() !== '' ? typed : write(value);
}

/** On several lines where `former` is. */
export function laidOutAs(key: OptionKey, value: unknown, former: string | undefined): string {
  const { kind, write } = definitionOf(key);
  return kind === 'json' && former?.includes('\n') ? JSON.stringify(value, undefined, 2) : write(value);
}

const builtins: Partial<Record<OptionKey, Readonly<Record<string, number>>>> = {
  ModelRatio: builtinTables.modelRatio,
  ModelPrice: builtinTables.modelPrice,
  CompletionRatio: builtinTables.completionRatio,
  CacheRatio: builtinTables.cacheRatio,
};

/** Older consoles save the whole price map they were shown: only what differs from the built-in table is the operator's own. */
function withoutBuiltins(key: OptionKey, value: unknown): unknown {
  const builtin = builtins[key];
  if (!builtin) return value;
  const isBuiltin = ([model, number]: [string, unknown]) => Object.hasOwn(builtin, model) && builtin[model] === number;
  const entries = Object.entries(value as object);
  if (!entries.some(isBuiltin)) return value;
  const own: Record<string, unknown> = Object.create(null);
  for (const [model, number] of entries) if (!isBuiltin([model, number])) own[model] = number;
  return own;
}

/** Whether this text is another one than what is stored, or than the default. */
export const differsFrom = (stored: StoredOptions, key: OptionKey, text: string): boolean =>
  text !== (stored.get(key)?.text ?? definitionOf(key).write(definitionOf(key).default));

export function optionItem(key: OptionKey, stored: StoredOptions): OptionItem {
  const { secret, kind, card } = definitionOf(key);
  const row = stored.get(key);
  const value = secret ? '' : shownText(key, stored);
  return { key, value, kind, card, secret, has: row !== undefined, version: row?.version ?? '' };
}

export function optionDetail(key: OptionKey, stored: StoredOptions): OptionDetail {
  const { value, secret, has, version } = optionItem(key, stored);
  return { key, value, has, own: secret ? '' : (stored.get(key)?.text ?? ''), version };
}

function shownText(key: OptionKey, stored: StoredOptions): string {
  const definition = definitionOf(key);
  if (priceOptionKeys.some((priceKey) => priceKey === key)) return JSON.stringify(shownPrices(key, reader(stored)));
  return stored.get(key)?.text ?? definition.write(definition.default);
}

function shownPrices(key: OptionKey, get: ReadOption): Readonly<Record<string, number>> | undefined {
  const tables = effectiveTables(rateTablesOf(get));
  const shown: Partial<Record<OptionKey, Readonly<Record<string, number>>>> = {
    ModelRatio: tables.modelRatio,
    ModelPrice: tables.modelPrice,
    CompletionRatio: tables.completionRatio,
    CacheRatio: tables.cacheRatio,
  };
  return shown[key];
}
