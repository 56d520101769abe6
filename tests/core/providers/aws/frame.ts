import { EventStreamCodec } from '@smithy/core/event-streams';

const codec = new EventStreamCodec(
  (bytes) => (typeof bytes === 'string' ? bytes : Buffer.from(bytes).toString('utf8')),
  (text) => Buffer.from(text, 'utf8'),
);

/** One frame of AWS's event stream, written by AWS's own codec. */
export function frame(headers: Record<string, string>, payload: string): Buffer {
  const typed = Object.entries(headers).map(([name, value]) => [name, { type: 'string', value }] as const);
  return Buffer.from(codec.encode({ headers: Object.fromEntries(typed), body: Buffer.from(payload, 'utf8') }));
}

export function chunk(event: string): Buffer {
  const headers = { ':event-type': 'chunk', ':content-type': 'application/json', ':message-type': 'event' };
  return frame(headers, JSON.stringify({ bytes: Buffer.from(event, 'utf8').toString('base64'), p: 'abcdef' }));
}

export function exception(name: string, payload: Record<string, unknown>): Buffer {
  const headers = { ':message-type': 'exception', ':exception-type': name, ':content-type': 'application/json' };
  return frame(headers, JSON.stringify(payload));
}
