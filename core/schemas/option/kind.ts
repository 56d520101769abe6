import { isTimeZone } from '../../lib/calendar-window.ts';
import { typedNamesOfAnyCase } from '../../lib/typed-list.ts';

/** What is wrong with a text; the words are made where it is shown. */
export type OptionFault =
  | { code: 'notBoolean' }
  | { code: 'notNumber'; min: number; max: number }
  | { code: 'notWhole'; min: number; max: number }
  | { code: 'notAuto'; min: number; max: number }
  | { code: 'notChoice'; allowed: string }
  | { code: 'notTimeZone' }
  | { code: 'notJson'; form: string }
  | { code: 'badEntry'; entry: string; form: string }
  | { code: 'badLink'; form: string }
  | { code: 'tooLong'; max: number };

export type OptionReading<T> = { value: T } | { fault: OptionFault };

/** What a number counts; its text is `unit.<word>`. */
export type OptionUnit =
  | 'quota'
  | 'tokens'
  | 'requests'
  | 'requestsPerMinute'
  | 'seconds'
  | 'minutes'
  | 'hours'
  | 'days'
  | 'percent';

/** A setting as data, but for the card it is on. Its label and hint are texts: `core/text/<language>/option.json`. */
export interface OptionShape<T> {
  kind: 'boolean' | 'number' | 'text' | 'lines' | 'list' | 'json';
  default: T;
  /** Stored encrypted and never returned. */
  secret: boolean;
  unit?: OptionUnit;
  /** Of a number, both included. */
  range?: { min: number; max: number };
  /** A text that is a number or the word `auto`. */
  isAuto?: true;
  /** The only texts it takes; their names are the texts `choice.<word>`. */
  choices?: readonly string[];
  /** Markdown, HTML or a link: a whole page that people write. */
  isPage?: true;
  /** Stored for older consoles and read by nothing; the settings page leaves it out. */
  withoutEffect?: true;
  read(text: string): OptionReading<T>;
  write(value: T): string;
}

type Text<T> = Pick<OptionShape<T>, 'read' | 'write'>;
type Extras = Pick<OptionShape<unknown>, 'unit' | 'range' | 'isAuto' | 'choices' | 'isPage' | 'withoutEffect'>;

export function defineOption<T>(
  kind: OptionShape<T>['kind'],
  fallback: T,
  text: Text<T>,
  extras: Extras = {},
): OptionShape<T> {
  return { kind, default: fallback, secret: false, ...extras, ...text };
}

export function flag(fallback: boolean, extras?: Extras): OptionShape<boolean> {
  const read = (text: string): OptionReading<boolean> =>
    text === 'true' || text === 'false' ? { value: text === 'true' } : { fault: { code: 'notBoolean' } };
  return defineOption<boolean>('boolean', fallback, { read, write: String }, extras);
}

export function whole(fallback: number, min: number, max: number, extras?: Extras): OptionShape<number> {
  const text = { read: numberBetween('notWhole', min, max), write: String };
  return defineOption<number>('number', fallback, text, { ...extras, range: { min, max } });
}

/** A whole number, or the word `auto`, which leaves it to the program and is the default. */
export function wholeOrAuto(min: number, max: number, extras?: Extras): OptionShape<number | 'auto'> {
  const number = numberBetween('notWhole', min, max);
  const read = (text: string): OptionReading<number | 'auto'> => {
    if (text.trim().toLowerCase() === 'auto') return { value: 'auto' };
    const reading = number(text);
    return 'value' in reading ? reading : { fault: { code: 'notAuto', min, max } };
  };
  const more: Extras = { ...extras, range: { min, max }, isAuto: true };
  return defineOption<number | 'auto'>('text', 'auto', { read, write: String }, more);
}

export function decimal(fallback: number, min: number, max: number, extras?: Extras): OptionShape<number> {
  const text = { read: numberBetween('notNumber', min, max), write: String };
  return defineOption<number>('number', fallback, text, { ...extras, range: { min, max } });
}

/** A name or an id: a blank pasted along with it is no part of it. */
export function text(fallback: string, max = 1000): OptionShape<string> {
  const read = (typed: string) => shortText(max)(typed.trim());
  return defineOption<string>('text', fallback, { read, write: String });
}

export function page(): OptionShape<string> {
  return { ...exactText(200_000), isPage: true };
}

export function secret(): OptionShape<string> {
  return { ...exactText(4096), secret: true };
}

function exactText(max: number): OptionShape<string> {
  return defineOption<string>('text', '', { read: shortText(max), write: String });
}

export function choice<T extends string>(fallback: T, choices: readonly T[]): OptionShape<T> {
  const read = (text: string): OptionReading<T> => {
    const value = choices.find((candidate) => candidate === text);
    return value === undefined ? { fault: { code: 'notChoice', allowed: choices.join(', ') } } : { value };
  };
  return defineOption<T>('text', fallback, { read, write: String }, { choices });
}

/** One entry per line; blank lines do not count. */
export function lines(fallback: string[]): OptionShape<string[]> {
  return defineOption<string[]>('lines', fallback, {
    read: (text) => ({
      value: text
        .split(/\r?\n/)
        .map((entry) => entry.trim())
        .filter(Boolean),
    }),
    write: (entries) => entries.join('\n'),
  });
}

/** Entries separated by commas, each once. The only list is one of domains, which capitals do not tell apart. */
export function list(fallback: string[]): OptionShape<string[]> {
  return defineOption<string[]>('list', fallback, {
    read: (text) => ({ value: typedNamesOfAnyCase(text) }),
    write: (entries) => entries.join(','),
  });
}

const numberPattern = { notWhole: /^-?\d+$/, notNumber: /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i };

function numberBetween(code: keyof typeof numberPattern, min: number, max: number) {
  return (text: string): OptionReading<number> => {
    const value = numberPattern[code].test(text.trim()) ? Number(text) : Number.NaN;
    return value >= min && value <= max ? { value } : { fault: { code, min, max } };
  };
}

function shortText(max: number) {
  return (text: string): OptionReading<string> =>
    text.length <= max ? { value: text } : { fault: { code: 'tooLong', max } };
}

/** The name of a time zone as the IANA lists them. */
export function timeZone(fallback: string): OptionShape<string> {
  const read = (text: string): OptionReading<string> =>
    isTimeZone(text.trim()) ? { value: text.trim() } : { fault: { code: 'notTimeZone' } };
  return defineOption<string>('text', fallback, { read, write: String });
}
