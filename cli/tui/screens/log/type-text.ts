import type { Log } from '../../../../core/schemas/log.ts';
import { logType } from '../../../../core/schemas/log-type.ts';
import type { Sentence, Speak } from '../../../text.ts';

const sentences: Record<number, Sentence> = {
  [logType.topUp]: 'tui.log.topUp',
  [logType.consume]: 'tui.log.consume',
  [logType.manage]: 'tui.log.manage',
  [logType.system]: 'tui.log.system',
  [logType.error]: 'tui.log.error',
  [logType.test]: 'tui.log.test',
};

export function typeText({ type }: Pick<Log, 'type'>, { speak }: { speak: Speak }): string {
  const sentence = sentences[type];
  return sentence ? speak(sentence) : String(type);
}

/** A word of the screen as the number of the API; any other text stays what it is. */
export function typeNumber(text: string, { speak }: { speak: Speak }): string {
  const found = Object.entries(sentences).find(([, sentence]) => speak(sentence) === text);
  return found ? found[0] : text;
}
