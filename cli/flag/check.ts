import { type Command, InvalidArgumentError, type Option } from 'commander';
import { maxPageSize } from '../../core/schemas/page-size.ts';
import type { Speak } from '../text.ts';

/** Paging of the API never refuses; a user who types `--page two` should see an error. */
const limits: Record<string, [min: number, max: number]> = {
  '--page': [1, 1_000_000_000],
  '--page-size': [1, maxPageSize],
};
const widest: [number, number] = [-999_999_999_999_999, 999_999_999_999_999];

/** An empty text clears a name, an address or a document; these have no meaning for it. */
const neverEmpty = /<(type|status|quota|amount|when|path|file|folder|level|format|address|field|what|id)>/;

/** What the form of a flag promises holds for every command: `<number>` is a whole number. Values stay text for the schema. */
export function checkFlags(command: Command, speak: Speak): void {
  for (const verb of command.commands) checkFlags(verb, speak);
  for (const flag of command.options) {
    if (flag.parseArg) continue;
    if (flag.flags.includes('<number>')) flag.argParser(numberParser(flag, speak));
    else if (neverEmpty.test(flag.flags)) flag.argParser(notEmpty(speak));
  }
}

/** For what an empty text would leave as it is, while the command says that it was changed. */
export const notEmpty = (speak: Speak) => (text: string) => {
  if (text.trim() === '') throw new InvalidArgumentError(speak('usage.notEmpty'));
  return text;
};

function numberParser({ long = '' }: Option, speak: Speak) {
  const [min, max] = limits[long] ?? widest;
  return (text: string) => {
    const number = /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (number >= min && number <= max) return text;
    const isWide = min === widest[0];
    throw new InvalidArgumentError(speak(isWide ? 'usage.wholeNumber' : 'usage.numberBetween', { min, max }));
  };
}
