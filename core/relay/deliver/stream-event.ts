import { UpstreamError } from '../../errors/upstream-error.ts';
import { parseJsonExactly } from '../../lib/json-step-parse.ts';
import { coded, type DetailKey } from '../../text/coded.ts';

const doneMark = '[DONE]';

export function isDone(data: string): boolean {
  return data.startsWith(doneMark);
}

/** Of an event that goes on as it is. */
export function parseEvent(data: string): unknown {
  return parseWith(JSON.parse, data);
}

/** As characters and not as bytes, and with all digits of arguments, for code that reads or rewrites the text. */
export function parseText(data: string): unknown {
  return parseWith(parseJsonExactly, isAscii(data) ? data : Buffer.from(data, 'latin1').toString('utf8'));
}

function parseWith(parse: (text: string) => unknown, text: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    throw brokenStream('upstream.eventNotJson', error);
  }
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
