import { once } from 'node:events';
import { request } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';
import { expectCharged } from '../relay-checks.ts';
import { done, says, stops, streamOf } from '../responses.ts';

const words = Array.from({ length: 60 }, (_, at) => says(`word ${at} `));
const events = [...words, stops, done].map((event) => String(streamOf([event]).pieces?.[0]));
let upstream: Server;
let gateway: TestGateway;

beforeAll(async () => {
  upstream = createServer((socket) => {
    const chunks = events.map((event) => `${Buffer.byteLength(event).toString(16)}\r\n${event}\r\n`);
    const headers = ['content-type: text/event-stream', 'transfer-encoding: chunked', 'connection: close'];
    const head = `HTTP/1.1 200 OK\r\n${headers.join('\r\n')}\r\n\r\n`;
    socket.once('data', () => socket.end(`${head}${chunks.join('')}0\r\n\r\n`));
    socket.on('error', () => undefined);
  }).listen(0, '127.0.0.1');
  await once(upstream, 'listening');
  gateway = await startGateway('sqlite');
  const { port } = upstream.address() as AddressInfo;
  await gateway.addChannel({ name: 'burst', models: 'gpt-4o', base_url: `http://127.0.0.1:${port}` });
});
afterAll(async () => {
  await gateway.stop();
  upstream.close();
});

/** The text of a stream, and in how many chunks of HTTP it came. */
async function readChunks(): Promise<{ text: string; chunks: number }> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${gateway.key}` };
  const call = request(`${gateway.url}/v1/chat/completions`, { method: 'POST', headers });
  call.end(JSON.stringify({ model: 'gpt-4o', stream: true, messages: [{ role: 'user', content: 'hi' }] }));
  const [response] = (await once(call, 'response')) as [NodeJS.ReadableStream];
  const pieces: string[] = [];
  response.on('data', (piece: Buffer) => pieces.push(piece.toString()));
  await once(response, 'end');
  return { text: pieces.join(''), chunks: pieces.length };
}

it('chunks that an upstream sends all at once go on in few writes, each event as it came', async () => {
  const { text, chunks } = await readChunks();
  expect(text).toBe(events.join(''));
  // A write for each chunk would be sixty.
  expect(chunks).toBeLessThan(30);
  await expectCharged(gateway);
});
