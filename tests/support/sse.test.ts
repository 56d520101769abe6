import { describe, expect, it } from 'vitest';
import { collectSse, readSse, splitSse } from './sse.ts';
import { fixtureBytes } from './upstream-script.ts';

async function* oneByOne(bytes: Buffer): AsyncGenerator<Uint8Array> {
  for (const byte of bytes) yield Uint8Array.of(byte);
}

describe('stream reader', () => {
  it.each(['openai/chat.sse', 'compatible/carriage-returns.sse', 'compatible/byte-order-mark.sse'])(
    'reads %s split after every byte',
    async (name) => {
      const { text, done } = await collectSse(oneByOne(fixtureBytes(name)));
      expect(text).toContain('你好');
      expect(done).toBe(1);
    },
  );

  it('gives an event as soon as its blank line is there', async () => {
    async function* neverEnding() {
      yield Buffer.from('event: ping\ndata: 1\n\nda');
      await new Promise(() => undefined);
    }
    const { value } = await readSse(neverEnding()).next();
    expect(value).toMatchObject({ event: 'ping', data: '1' });
  });

  it('reports a stream that ends inside an event', async () => {
    const torn = fixtureBytes('openai/chat.sse').subarray(0, 100);
    await expect(collectSse(oneByOne(torn))).rejects.toThrow('ended inside an event');
  });

  it('splits a recording into events without losing a byte', () => {
    const bytes = fixtureBytes('compatible/usage-every-chunk.sse');
    expect(Buffer.concat(splitSse(bytes))).toEqual(bytes);
    expect(splitSse(bytes)).toHaveLength(3);
  });
});
