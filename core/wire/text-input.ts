import type { RequestFields } from '../canonical/request.ts';
import { wrong } from './request-field.ts';

/** Texts in one call, as OpenAI limits them. */
export const maxTexts = 2048;

/** How many texts an input contains: one for a text or a list of token numbers, else as many as the list has. */
export function countTexts(fields: RequestFields, key: string): number {
  const count = fields.count(key);
  if (count === undefined) return 1;
  const value = fields.value(key);
  if (Array.isArray(value)) return typeof value[0] === 'number' ? 1 : count;
  // Too large to be read here: a list longer than texts may be can only be token numbers.
  return count > maxTexts ? 1 : count;
}

/** A text, a list of texts, a list of token numbers, or a list of such lists; nothing else. */
export function checkTextOrTokens(input: unknown, field: string): void {
  if (typeof input === 'string') return;
  if (!Array.isArray(input)) throw wrong('request.notTextOrList', field);
  if (typeof input[0] === 'number') {
    checkTokens(input, field);
    return;
  }
  if (input.length > maxTexts) throw wrong('request.tooMany', field, { maximum: maxTexts });
  for (let index = 0; index < input.length; index += 1) {
    const item: unknown = input[index];
    if (Array.isArray(item)) checkTokens(item, `${field}[${index}]`);
    else if (typeof item !== 'string') throw wrong('request.notTextOrList', `${field}[${index}]`);
  }
}

function checkTokens(tokens: unknown[], field: string): void {
  for (const token of tokens) {
    if (typeof token !== 'number' || !Number.isInteger(token) || token < 0)
      throw wrong('request.notInteger', field, { minimum: 0, maximum: 2 ** 31 - 1 });
  }
}
