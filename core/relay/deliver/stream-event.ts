import { UpstreamError } from '../../errors/upstream-error.ts';
import { parseJsonExactly } from '../../lib/json-step-parse.ts';
import { coded, type DetailKey } from '../../text/coded.ts';

const doneMark = '[DONE]';

export function isDone(data: string): boolean {
  return data.startsWith(doneMark);
}

export function parseEvent(data: string): unknown {
  try {
    return parseJsonExactly(data);
  } catch (error) {
    throw brokenStream('upstream.eventNotJson', error);
  }
}

/** As characters and not as bytes, for code that reads or rewrites the text. */
export function parseText(data: string): unknown {
  return parseEvent(isAscii(data) ? data : Buffer.from(data, 'latin1').toString('utf8'));
}

/** The UTF-8 bytes of a text, one character each. */
export function toLatin1(text: string): string {
  return isAscii(text) ? text : Buffer.from(text).toString('latin1');
}

function isAscii(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant.
  return /^[\u0000-\u007f]*$/.test(text);
}

export function brokenStream(key: DetailKey, cause?: unknown): UpstreamError {
  return new UpstreamError({
    status: 502,
    code: 'upstream_broken',
    coded: coded(key),
    kind: 'retry',
    cause,
  });
}
