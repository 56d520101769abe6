import type { App } from '../../core/app.ts';
import { AppError } from '../../core/errors/app-error.ts';
import { nowSeconds } from '../../core/lib/clock.ts';
import { systemActor } from '../../core/schemas/actor.ts';
import { logStatSchema } from '../../core/schemas/log.ts';
import { logType } from '../../core/schemas/log-type.ts';
import { coded } from '../../core/text/coded.ts';
import { parseRange, wholeNumber } from './value.ts';

/** What the log is narrowed to, as people write it. */
export interface LogWords {
  type?: string | undefined;
  user?: string | undefined;
  /** The former name of `user`. */
  username?: string | undefined;
  token?: string | undefined;
  model?: string | undefined;
  channel?: string | undefined;
  group?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
  errors?: boolean | undefined;
  cut?: boolean | undefined;
  /** Seconds. */
  slow?: string | undefined;
}

export const typeWords = new Map<number, string>([
  [logType.topUp, 'top-up'],
  [logType.consume, 'consume'],
  [logType.manage, 'manage'],
  [logType.system, 'system'],
  [logType.error, 'error'],
  [logType.test, 'test'],
]);

/** The words under the names of the API. */
export async function logFilterFrom(app: App, words: LogWords) {
  const { services } = app;
  const { start = 0, end = 0 } = parseRange(words, nowSeconds());
  return logStatSchema.parse({
    type: words.errors ? logType.error : words.type === undefined ? 0 : typeNumber(words.type),
    username: await usernameOf(app, words.user ?? words.username),
    token_name: words.token,
    model_name: words.model,
    channel: words.channel === undefined ? 0 : (await services.channels.find(systemActor, words.channel)).id,
    group: words.group,
    cut: words.cut,
    min_seconds: numberFrom('--slow', words.slow),
    start_timestamp: start,
    end_timestamp: end,
  });
}

/** The name of a user given by id or name. A name needs no account: rows keep the names of users who were erased. */
export async function usernameOf({ services }: App, word: string | undefined): Promise<string | undefined> {
  if (word === undefined || !/^\d+$/.test(word)) return word;
  return (await services.users.find(systemActor, word)).username;
}

/** The number that a flag gives, 0 without it. */
export function numberFrom(flag: string, text: string | undefined): number {
  const number = text === undefined ? 0 : wholeNumber(text);
  if (number >= 0) return number;
  throw new AppError('input.invalid', { reason: `${flag} "${text?.slice(0, 40)}": ${coded('input.whole')}` });
}

function typeNumber(text: string): number {
  for (const [number, word] of typeWords) if (text === word || text === String(number)) return number;
  throw new AppError('input.invalid', {
    reason: `type "${text.slice(0, 40)}": ${coded('issue.oneOf', { values: [...typeWords.values()].join(', ') })}`,
  });
}
