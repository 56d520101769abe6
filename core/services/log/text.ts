import { type Log, logType } from '../../schemas/log.ts';
import { codedText, type Language, type TextKey, templateOf, wordsIn } from '../../text/text.ts';

/** A row is written once, as a code, and read by people of either language; what a call left behind is not text of ours. */
export function logsIn<T extends Log>(language: Language, logs: T[]): T[] {
  return logs.map((log) => (log.type === logType.consume ? log : { ...log, content: wordsIn(language, log.content) }));
}

const keys = [
  ...(['log.gift', 'log.invited', 'log.reward', 'log.redeemed', 'log.toppedUp', 'log.adjusted'] as const),
  ...(['log.adjustedNote', 'log.taskRefunded', 'log.holdReturned'] as const),
] satisfies TextKey<'notice'>[];

/** How rows begin whose text begins with this in one of our languages. */
export function codesBeginning(text: string): string[] {
  return keys.flatMap((key) => [
    ...new Set((['en', 'zh'] as const).flatMap((language) => beginningsOf(key, language, text))),
  ]);
}

function beginningsOf(key: TextKey<'notice'>, language: Language, text: string): string[] {
  const [, head = '', name = '', tail = ''] =
    /^([^{]*)(?:\{(\w+)\}([^{]*))?/.exec(templateOf(language, 'notice', key) ?? '') ?? [];
  const [open = ''] = codedText('notice', key).split('{}');
  if (head.startsWith(text)) return [open];
  if (name === '' || !text.startsWith(head)) return [];
  // A number stands as it is, a text in quotes.
  const rest = text.slice(head.length);
  const value = tail !== '' && rest.includes(tail) ? rest.slice(0, rest.indexOf(tail)) : rest;
  return [`${open}{"${name}":${value}`, `${open}{"${name}":${JSON.stringify(value).slice(0, -1)}`];
}
