import { isJsonObject } from '../../lib/json-value.ts';
import { coded } from '../../text/coded.ts';
import { defineOption, type OptionReading, type OptionShape } from './kind.ts';
import { isHarmlessLink } from './link.ts';

export type NumberMap = Record<string, number>;
export type TextMap = Record<string, string>;
/** One-key objects: name of the chat site to its link template, as the status call hands them out. */
export type ChatList = TextMap[];

/** A ratio or price beyond this is a slip of the keyboard. */
export const largestRatio = 1_000_000;

/** Names to finite numbers from 0. Any name is a plain key, `__proto__` too. */
export function numberMap(fallback: NumberMap = {}): OptionShape<NumberMap> {
  const form = coded('form.number', { min: 0, max: largestRatio });
  return map<number>(fallback, form, (value) =>
    typeof value === 'number' && value >= 0 && value <= largestRatio ? value : undefined,
  );
}

/** As a map of numbers, whose entries are `name` or `name:model`; an unknown name would silently do nothing. */
export function priceMap(names: readonly string[]): OptionShape<NumberMap> {
  const plain = numberMap();
  const form = coded('form.priceName', { names: names.join(', ') });
  const read = (text: string): OptionReading<NumberMap> => {
    const reading = plain.read(text);
    const keys = 'value' in reading ? Object.keys(reading.value) : [];
    const unknown = keys.find((key) => !names.includes(key.split(':', 1)[0] ?? '') || key.endsWith(':'));
    return unknown === undefined ? reading : { fault: { code: 'badEntry', entry: unknown.slice(0, 100), form } };
  };
  return { ...plain, read };
}

export function countMap(fallback: NumberMap): OptionShape<NumberMap> {
  return map<number>(fallback, coded('form.whole', { min: 1, max: 10_000_000 }), (value) =>
    typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 10_000_000 ? value : undefined,
  );
}

/** Names to one of a few words. */
export function choiceMap<T extends string>(words: readonly T[]): OptionShape<Record<string, T>> {
  const form = coded('form.choice', { words: words.join(', ') });
  return map<T>({}, form, (value) => words.find((word) => word === value));
}

export function textMap(fallback: TextMap): OptionShape<TextMap> {
  return map<string>(fallback, coded('form.text'), (value) =>
    typeof value === 'string' && value.length <= 1000 ? value : undefined,
  );
}

/** Factors on the price of a call whose prompt has more than `above` tokens; for all its tokens, not only those beyond. */
export interface LongPrompt {
  above: number;
  prompt: number;
  cached: number;
  completion: number;
}

/** `cached` is the prompt's own factor when left out. */
export function longPromptMap(): OptionShape<Record<string, LongPrompt>> {
  const form = coded('form.longPrompt');
  return map<LongPrompt>({}, form, (value) => {
    if (!isJsonObject(value)) return undefined;
    const { above, prompt, completion, cached = prompt, ...others } = value;
    const isFine = [prompt, cached, completion].every(isRatio) && isCount(above) && Object.keys(others).length === 0;
    return isFine ? ({ above, prompt, cached, completion } as LongPrompt) : undefined;
  });
}

const isRatio = (value: unknown) => typeof value === 'number' && value >= 0 && value <= largestRatio;
const isCount = (value: unknown) => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 10_000_000;

/** Model to header name to values. */
export function headerMap(): OptionShape<Record<string, Record<string, string[]>>> {
  const form = coded('form.headers');
  return map<Record<string, string[]>>({}, form, (value) => {
    if (!isJsonObject(value)) return undefined;
    const isFine = Object.entries(value).every(([name, values]) => isHeaderName(name) && isHeaderValueList(values));
    return isFine ? (value as Record<string, string[]>) : undefined;
  });
}

export function chatList(): OptionShape<ChatList> {
  const form = '[{"Name":"https://chat.example.com/?key={key}&url={address}"}]';
  const read = (text: string): OptionReading<ChatList> => {
    const parsed = text.trim() === '' ? [] : parse(text);
    if (!Array.isArray(parsed)) return { fault: { code: 'notJson', form } };
    const bad = parsed.findIndex((entry) => !isChat(entry));
    return bad === -1 ? { value: parsed as ChatList } : { fault: { code: 'badEntry', entry: String(bad + 1), form } };
  };
  return defineOption<ChatList>('json', [], { read, write: JSON.stringify });
}

function map<V>(
  fallback: Record<string, V>,
  form: string,
  check: (value: unknown) => V | undefined,
): OptionShape<Record<string, V>> {
  const read = (text: string): OptionReading<Record<string, V>> => {
    const parsed = text.trim() === '' ? {} : parse(text);
    if (!isJsonObject(parsed)) return { fault: { code: 'notJson', form: `{"name": ${form}}` } };
    const result: Record<string, V> = Object.create(null);
    for (const [name, raw] of Object.entries(parsed)) {
      const value = check(raw);
      if (value === undefined || name === '' || name.length > 255) {
        return { fault: { code: 'badEntry', entry: name.slice(0, 100), form } };
      }
      result[name] = value;
    }
    return { value: result };
  };
  const start = Object.assign(Object.create(null) as Record<string, V>, fallback);
  return defineOption<Record<string, V>>('json', start, { read, write: JSON.stringify });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The caller names the option and the form it expects; the parser's own words would not help.
    return undefined;
  }
}

const isHeaderName = (name: string) => /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/.test(name);

function isHeaderValueList(values: unknown): boolean {
  return (
    Array.isArray(values) && values.every((value) => typeof value === 'string' && /^[\t\x20-\x7e]{0,1000}$/.test(value))
  );
}

function isChat(entry: unknown): boolean {
  if (!isJsonObject(entry)) return false;
  const [pair, ...more] = Object.entries(entry);
  return pair !== undefined && more.length === 0 && typeof pair[1] === 'string' && isHarmlessLink(pair[1]);
}
