import { AppError } from '../../core/errors/app-error.ts';
import { coded } from '../../core/text/coded.ts';

/** The number a person means by its word, or by the number itself; `what` is the flag. */
export function numberOf(words: ReadonlyMap<number, string>, text: string, what: string): number {
  for (const [number, word] of words) if (text === word || text === String(number)) return number;
  throw new AppError('input.invalid', {
    reason: `${what} "${text.slice(0, 40)}": ${coded('issue.oneOf', { values: [...words.values()].join(', ') })}`,
  });
}
