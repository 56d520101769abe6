import { describe, expect, it } from 'vitest';
import { createEventStreamDecoder } from '../../../../core/providers/aws/event-stream.ts';
import { chunk, exception, frame } from './frame.ts';

const textFrame = Buffer.from(
  'AAAA1wAAAEu/+eQ4CzpldmVudC10eXBlBwAFY2h1bmsNOmNvbnRlbnQtdHlwZQcAEGFwcGxpY2F0aW9uL2pzb24NOm1lc3NhZ2UtdHlwZQcABWV2ZW50eyJieXRlcyI6ImV5SjBlWEJsSWpvaVkyOXVkR1Z1ZEY5aWJHOWphMTlrWld4MFlTSXNJbWx1WkdWNElqb3dMQ0prWld4MFlTSTZleUowZVhCbElqb2lkR1Y0ZEY5a1pXeDBZU0lzSW5SbGVIUWlPaUpJYVNKOWZRPT0ifUuOlJU=',
  'base64',
);
const throttledFrame = Buffer.from(
  'AAAAiAAAAGHeAXX0DTptZXNzYWdlLXR5cGUHAAlleGNlcHRpb24POmV4Y2VwdGlvbi10eXBlBwATdGhyb3R0bGluZ0V4Y2VwdGlvbg06Y29udGVudC10eXBlBwAQYXBwbGljYXRpb24vanNvbnsibWVzc2FnZSI6InNsb3cgZG93biJ9TkO5WA==',
  'base64',
);
const textEvent =
  'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hi"}}\n\n';
const throttledEvent =
  'event: error\ndata: {"type":"error","error":{"type":"rate_limit_error","message":"slow down"}}\n\n';

/** The decoder's texts are one character per byte. */
function decode(...pieces: Buffer[]): string {
  const decoder = createEventStreamDecoder();
  const text = pieces.map((piece) => decoder.push(piece)).join('');
  decoder.end();
  return Buffer.from(text, 'latin1').toString('utf8');
}

const message = [
  '{"type":"message_start","message":{"id":"msg_bdrk_1","type":"message","role":"assistant","content":[],"usage":{"input_tokens":9,"output_tokens":1}}}',
  '{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}',
  '{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Grüße, 你好 🙂"}}',
  '{"type":"content_block_stop","index":0}',
  '{"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":5}}',
  '{"type":"message_stop","amazon-bedrock-invocationMetrics":{"inputTokenCount":9,"outputTokenCount":5,"invocationLatency":800,"firstByteLatency":300}}',
];

describe('event stream of Bedrock', () => {
  it('becomes the events of Anthropic’s own stream', () => {
    expect(decode(textFrame)).toBe(textEvent);
    expect(decode(throttledFrame)).toBe(throttledEvent);
  });

  it('says the same wherever its bytes are cut (M: streams as pure functions)', () => {
    const bytes = Buffer.concat([textFrame, throttledFrame, chunk(message[2] ?? '')]);
    const whole = decode(bytes);
    for (let cut = 0; cut <= bytes.length; cut++) {
      expect(decode(bytes.subarray(0, cut), bytes.subarray(cut))).toBe(whole);
    }
    expect(decode(...Array.from(bytes, (byte) => Buffer.from([byte])))).toBe(whole);
  });

  it('keeps every character, and leaves out what only Bedrock’s own clients read', () => {
    const text = decode(...message.map(chunk));
    expect(text).toContain('"text":"Grüße, 你好 🙂"');
    expect(text).toContain('event: message_stop\ndata: {"type":"message_stop"}\n\n');
    expect(text).not.toContain('amazon-bedrock');
    expect(text.match(/event: /g)).toHaveLength(6);
  });

  it('takes usage from the metrics of the call when the events named none', () => {
    const metrics =
      '{"type":"message_stop","amazon-bedrock-invocationMetrics":{"inputTokenCount":9,"outputTokenCount":5,"cacheReadInputTokenCount":3}}';
    expect(decode(chunk(metrics))).toBe(
      'event: message_delta\ndata: {"type":"message_delta","delta":{},"usage":{"input_tokens":9,"output_tokens":5,"cache_read_input_tokens":3}}\n\n' +
        'event: message_stop\ndata: {"type":"message_stop"}\n\n',
    );
  });

  it('tells an intervention of a guardrail as a refusal', () => {
    const blocked =
      '{"type":"message_delta","delta":{"stop_reason":null},"amazon-bedrock-guardrailAction":"INTERVENED","usage":{"output_tokens":2}}';
    expect(decode(chunk(blocked))).toBe(
      'event: message_delta\ndata: {"type":"message_delta","delta":{"stop_reason":"refusal"},"usage":{"output_tokens":2}}\n\n',
    );
  });

  it('keeps an event with line breaks in one piece', () => {
    expect(decode(chunk('{\n  "type": "ping"\n}'))).toBe('event: ping\ndata: {"type":"ping"}\n\n');
  });

  it.each([
    [
      'modelStreamErrorException',
      { originalMessage: 'model broke', originalStatusCode: 424 },
      'api_error',
      'model broke',
    ],
    ['internalServerException', { message: 'oops' }, 'api_error', 'oops'],
    ['serviceUnavailableException', { message: 'busy' }, 'overloaded_error', 'busy'],
    ['validationException', { message: 'bad' }, 'invalid_request_error', 'bad'],
    ['modelTimeoutException', {}, 'timeout_error', 'modelTimeoutException'],
  ])('tells a %s as Anthropic would', (name, payload, type, text) => {
    const [, data = ''] = decode(exception(name, payload)).split('data: ');
    expect(JSON.parse(data)).toEqual({ type: 'error', error: { type, message: text } });
  });

  it('tells an error of the framing itself', () => {
    const broken = { ':message-type': 'error', ':error-code': 'InternalFailure', ':error-message': 'stream died' };
    expect(decode(frame(broken, ''))).toContain('"message":"stream died"');
  });

  it('skips frames it does not know', () => {
    const initial = { ':message-type': 'event', ':event-type': 'initial-response' };
    expect(decode(frame(initial, '{}'), frame({}, ''))).toBe('');
  });

  it.each([0, 3, 5, 9, 11, 40, 120, 211, 214])('is refused when byte %i of a frame is wrong', (index) => {
    const bytes = Buffer.from(textFrame);
    bytes[index] = (bytes[index] ?? 0) ^ 1;
    expect(() => createEventStreamDecoder().push(bytes)).toThrow("The upstream's event stream has an error");
  });

  it('is refused when it is not an event stream at all, or announces a frame of gigabytes', () => {
    const push = (bytes: Buffer) => () => createEventStreamDecoder().push(bytes);
    expect(push(Buffer.from('<html>502 Bad Gateway</html>'))).toThrow('wrong checksum');
    expect(push(Buffer.from('f0000000000000001b2b9b3a', 'hex'))).toThrow('an error');
    expect(push(frame({ ':message-type': 'event', ':event-type': 'chunk' }, '{"p":"x"}'))).toThrow('empty chunk');
  });

  it('gives what came whole before an error, wherever its bytes are cut', () => {
    const bytes = Buffer.concat([textFrame, Buffer.alloc(40, 'x')]);
    for (let cut = 0; cut <= bytes.length; cut++) {
      const decoder = createEventStreamDecoder();
      let text = '';
      const read = () => {
        for (const piece of [bytes.subarray(0, cut), bytes.subarray(cut)]) text += decoder.push(piece);
        decoder.end();
      };
      expect(read).toThrow('wrong checksum');
      expect(text).toBe(textEvent);
    }
  });

  it('is refused when it ends inside a frame', () => {
    expect(() => decode(textFrame.subarray(0, 100))).toThrow('ends inside a frame');
    expect(() => decode(textFrame.subarray(0, 5))).toThrow('ends inside a frame');
  });

  it('reads a frame of many megabytes in small pieces without copying it over and over', () => {
    const event = JSON.stringify({ type: 'content_block_delta', delta: { text: 'a'.repeat(4_000_000) } });
    const bytes = chunk(event);
    const pieces: Buffer[] = [];
    for (let start = 0; start < bytes.length; start += 16_384) pieces.push(bytes.subarray(start, start + 16_384));
    expect(decode(...pieces)).toBe(`event: content_block_delta\ndata: ${event}\n\n`);
  });
});
