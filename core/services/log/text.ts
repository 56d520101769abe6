import { parseRecord, recordOf, recordsOf } from '../../lib/json-value.ts';
import type { Log } from '../../schemas/log.ts';
import { logType } from '../../schemas/log-type.ts';
import { codedIn, decoded } from '../../text/coded.ts';
import { codedText, type Language, type TextKey, templateOf, wordsIn } from '../../text/text.ts';

/** Quota units as a person reads them. */
export type MoneyOf = (quota: number) => string;

/** For whom the texts of rows are written. */
export interface LogReader {
  language: Language;
  moneyOf: MoneyOf;
}

/**
 * A row is written once, as a code, and read by people of either language; what a call left behind is not text of ours. Amounts in
 * the texts stay quota units unless `moneyOf` says how they are shown.
 */
export function logsIn<T extends Log>(language: Language, logs: T[], moneyOf?: MoneyOf): T[] {
  const textOf = (content: string) => wordsIn(language, moneyOf ? inMoney(content, moneyOf) : content);
  return logs.map((log) => {
    const other = otherIn(language, log.other);
    return log.type === logType.consume ? { ...log, other } : { ...log, other, content: textOf(log.content) };
  });
}

/** What a channel that was tried lacked may be told in words of ours. */
function otherIn(language: Language, other: string): string {
  if (!other.includes(writtenMark)) return other;
  const record = parseRecord(other);
  if (!record) return other;
  const info = recordOf(record.admin_info);
  const attempts = recordsOf(info.attempts).map(({ message, ...attempt }) =>
    typeof message === 'string' ? { ...attempt, message: wordsIn(language, message) } : attempt,
  );
  return JSON.stringify({ ...record, admin_info: { ...info, attempts } });
}

/** How a code of ours begins (text/coded.ts), written as JSON. */
const writtenMark = '\\u001e';

/** Details of texts that are quota units. */
const amountNames = new Map<string, string>([
  ['log.adjusted', 'amount'],
  ['log.adjustedNote', 'amount'],
  ['log.holdReturned', 'quota'],
] satisfies [TextKey<'notice'>, string][]);

function inMoney(content: string, moneyOf: MoneyOf): string {
  return decoded(content, (space, key, details) => {
    const name = (space === 'notice' && amountNames.get(key)) || undefined;
    const units = name === undefined ? Number.NaN : Number(details[name]);
    if (name === undefined || !Number.isFinite(units)) return undefined;
    const sign = String(details[name]).startsWith('+') ? '+' : '';
    return codedIn(space, key, { ...details, [name]: sign + moneyOf(units) });
  });
}

const keys = [
  ...(['log.gift', 'log.invited', 'log.reward', 'log.redeemed', 'log.toppedUp', 'log.adjusted'] as const),
  ...(['log.adjustedNote', 'log.taskRefunded', 'log.holdReturned'] as const),
] satisfies TextKey<'notice'>[];

/** Whether what is shown of a row begins with this, in one of our languages; our own words in capitals or not. */
export function isShownAs(content: string, text: string, moneyOf: MoneyOf): boolean {
  if (content.startsWith(text)) return true;
  const shown = inMoney(content, moneyOf);
  const wanted = text.toLowerCase();
  return (['en', 'zh'] as const).some((language) => wordsIn(language, shown).toLowerCase().startsWith(wanted));
}

/** How rows begin whose text begins with this in one of our languages; those with other amounts among them. */
export function codesBeginning(text: string): string[] {
  return keys.flatMap((key) => [
    ...new Set((['en', 'zh'] as const).flatMap((language) => beginningsOf(key, language, text))),
  ]);
}

function beginningsOf(key: TextKey<'notice'>, language: Language, text: string): string[] {
  const [, head = '', name = '', tail = ''] =
    /^([^{]*)(?:\{(\w+)\}([^{]*))?/.exec(templateOf(language, 'notice', key) ?? '') ?? [];
  const [open = ''] = codedText('notice', key).split('{}');
  const wanted = text.toLowerCase();
  if (head.toLowerCase().startsWith(wanted)) return [open];
  if (name === '' || !wanted.startsWith(head.toLowerCase())) return [];
  // What is shown of an amount is not what is stored.
  if (amountNames.get(key) === name) return [`${open}{"${name}":`];
  // A number stands as it is, a text in quotes.
  const rest = text.slice(head.length);
  const value = tail !== '' && rest.includes(tail) ? rest.slice(0, rest.indexOf(tail)) : rest;
  return [`${open}{"${name}":${value}`, `${open}{"${name}":${JSON.stringify(value).slice(0, -1)}`];
}
