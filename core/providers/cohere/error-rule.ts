import { classifyUpstream, type ErrorRule } from '../../errors/classify-upstream.ts';
import { isJsonObject, recordOf, textOf } from '../../lib/json-value.ts';
import { coded } from '../../text/coded.ts';
import { wordsIn } from '../../text/text.ts';
import type { ProviderAdapter } from '../adapter.ts';

const rules: readonly ErrorRule[] = [
  // An invalid token, under a number of their own.
  { status: [498], kind: 'dead' },
  { status: [499], kind: 'client' },
  { status: [403], words: ['billing', 'payment'], kind: 'balance' },
];

export const readCohereError: ProviderAdapter['readError'] = (status, body, headers, context) =>
  // A retry does not help with a feature that the vendor lacks.
  classifyUpstream({ status: status === 501 ? 400 : status, body: brokenOff(body) ?? body, headers }, rules, context);

/** A response that says it broke off, or that is an error's message alone. */
export function hiddenCohereStatus(body: unknown): number | undefined {
  if (brokenOff(body)) return 503;
  const { message, error } = recordOf(body);
  return typeof message === 'string' || isJsonObject(error) ? 503 : undefined;
}

/** What went wrong, of a whole response or of the last event of a stream. */
export function brokenOff(body: unknown): { message: string } | undefined {
  const { finish_reason: whole, delta } = recordOf(body);
  const { finish_reason: streamed, error } = recordOf(delta);
  const reason = whole ?? streamed;
  if (reason !== 'ERROR' && reason !== 'TIMEOUT') return undefined;
  return { message: textOf(error) || wordsIn('en', coded('upstream.endedWith', { code: reason })) };
}
