import { describe, expect, it } from 'vitest';
import { EventCutter, maxEventBytes, splitEvents } from '../../../core/wire/sse.ts';

const text = ': hi\n\ndata: {"a":"你好"}\n\nevent: x\ndata: 1\ndata:2\n\ndata:\n\nid: 5\n\ndata: [DONE]\n\n';
const wanted = [undefined, '{"a":"你好"}', '1\n2', '', undefined, '[DONE]'];

function read(pieces: Buffer[]): (string | undefined)[] {
  const cutter = new EventCutter();
  const blocks = pieces.map((piece) => cutter.push(piece.toString('latin1')));
  expect(cutter.rest()).toBe('');
  return blocks.flatMap((block) =>
    splitEvents(block).map(({ data }) => data && Buffer.from(data, 'latin1').toString('utf8')),
  );
}

describe('a stream of events', () => {
  it.each([
    ['LF', text],
    ['CR LF', text.replaceAll('\n', '\r\n')],
    ['CR', text.replaceAll('\n', '\r')],
    ['a byte order mark', `\uFEFF${text}`],
    ['mixed line ends', text.replace('\n\n', '\r\n\n').replace('}\n\n', '}\n\r\n')],
  ])('with %s reads the same wherever it is cut in two', (_name, written) => {
    const bytes = Buffer.from(written);
    for (let at = 0; at <= bytes.length; at += 1) {
      expect(read([bytes.subarray(0, at), bytes.subarray(at)]), `cut at ${at}`).toEqual(wanted);
    }
    expect(read([...bytes].map((byte) => Buffer.from([byte])))).toEqual(wanted);
  });

  it('gives out whole events only', () => {
    const cutter = new EventCutter();
    expect(cutter.push('data: 1\n')).toBe('');
    expect(cutter.push('\ndata: 2')).toBe('data: 1\n\n');
    expect(cutter.rest()).toBe('data: 2');
  });

  it('refuses an event beyond 16 MiB', () => {
    const cutter = new EventCutter();
    expect(() => {
      for (let bytes = 0; bytes <= maxEventBytes; bytes += 1 << 20) cutter.push('x'.repeat(1 << 20));
    }).toThrow(RangeError);
  });
});
