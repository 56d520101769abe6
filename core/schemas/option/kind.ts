/** What is wrong with a text; the words are made where it is shown. */
export type OptionFault =
  | { code: 'notBoolean' }
  | { code: 'notNumber'; min: number; max: number }
  | { code: 'notChoice'; allowed: string }
  | { code: 'notJson'; form: string }
  | { code: 'badEntry'; entry: string; form: string }
  | { code: 'badLink'; form: string }
  | { code: 'tooLong'; max: number };

export type OptionReading<T> = { value: T } | { fault: OptionFault };

/** The card of the settings page an option stands on. */
export type OptionCard =
  | 'general'
  | 'drawing'
  | 'sensitive'
  | 'log'
  | 'dashboard'
  | 'monitoring'
  | 'quota'
  | 'chat'
  | 'group'
  | 'price'
  | 'server'
  | 'payment'
  | 'sign-in'
  | 'provider-sign-in'
  | 'mail'
  | 'content'
  | 'model';

export interface OptionDefinition<T> {
  kind: 'boolean' | 'number' | 'text' | 'lines' | 'list' | 'json';
  default: T;
  card: OptionCard;
  /** Stored encrypted and never returned. */
  secret: boolean;
  read(text: string): OptionReading<T>;
  write(value: T): string;
}

interface OptionExtras {
  secret?: boolean;
}

export function defineOption<T>(
  kind: OptionDefinition<T>['kind'],
  fallback: T,
  card: OptionCard,
  text: { read(text: string): OptionReading<T>; write(value: T): string },
  extras: OptionExtras = {},
): OptionDefinition<T> {
  return {
    kind,
    default: fallback,
    card,
    secret: extras.secret ?? false,
    ...text,
  };
}

export function flag(fallback: boolean, card: OptionCard): OptionDefinition<boolean> {
  return defineOption<boolean>('boolean', fallback, card, {
    read: (text) =>
      text === 'true' || text === 'false' ? { value: text === 'true' } : { fault: { code: 'notBoolean' } },
    write: String,
  });
}

export function whole(fallback: number, min: number, max: number, card: OptionCard): OptionDefinition<number> {
  return defineOption<number>('number', fallback, card, {
    read: numberBetween(min, max, /^-?\d+$/),
    write: String,
  });
}

export function decimal(fallback: number, min: number, max: number, card: OptionCard): OptionDefinition<number> {
  const pattern = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i;
  return defineOption<number>('number', fallback, card, { read: numberBetween(min, max, pattern), write: String });
}

export function text(fallback: string, card: OptionCard, max = 1000): OptionDefinition<string> {
  return defineOption<string>('text', fallback, card, { read: shortText(max), write: String });
}

export function secret(card: OptionCard): OptionDefinition<string> {
  return defineOption<string>('text', '', card, { read: shortText(4096), write: String }, { secret: true });
}

export function choice<T extends string>(fallback: T, allowed: readonly T[], card: OptionCard): OptionDefinition<T> {
  return defineOption<T>('text', fallback, card, {
    read(text) {
      const value = allowed.find((candidate) => candidate === text);
      return value === undefined ? { fault: { code: 'notChoice', allowed: allowed.join(', ') } } : { value };
    },
    write: String,
  });
}

/** One entry per line; blank lines do not count. */
export function lines(fallback: string[], card: OptionCard): OptionDefinition<string[]> {
  return defineOption<string[]>('lines', fallback, card, {
    read: (text) => ({ value: split(text, /\r?\n/) }),
    write: (entries) => entries.join('\n'),
  });
}

/** Entries separated by commas. */
export function list(fallback: string[], card: OptionCard): OptionDefinition<string[]> {
  return defineOption<string[]>('list', fallback, card, {
    read: (text) => ({ value: [...new Set(split(text, /,/))] }),
    write: (entries) => entries.join(','),
  });
}

const split = (text: string, separator: RegExp) =>
  text
    .split(separator)
    .map((entry) => entry.trim())
    .filter(Boolean);

function numberBetween(min: number, max: number, pattern: RegExp) {
  return (text: string): OptionReading<number> => {
    const value = pattern.test(text.trim()) ? Number(text) : Number.NaN;
    return value >= min && value <= max ? { value } : { fault: { code: 'notNumber', min, max } };
  };
}

function shortText(max: number) {
  return (text: string): OptionReading<string> =>
    text.length <= max ? { value: text } : { fault: { code: 'tooLong', max } };
}
