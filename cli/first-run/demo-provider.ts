import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

export interface DemoProvider {
  url: string;
  key: string;
  model: string;
  close(): Promise<void>;
}

const sentence =
  'Hello from a provider that lives inside this program: every word came through the gateway and was counted.';
const wordPauseMs = 40;
const bodyBytes = 65_536;

/** A little OpenAI-shaped provider on loopback: it checks the key and streams one answer, word by word, with its usage. */
export async function startDemoProvider(key: string): Promise<DemoProvider> {
  const model = 'gpt-4o-mini';
  const server = createServer((request, response) => {
    respond(request, response, key).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    key,
    model,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function respond(request: IncomingMessage, response: ServerResponse, key: string): Promise<void> {
  if (request.headers.authorization !== `Bearer ${key}`) return refuse(response, 401, 'invalid_api_key');
  if (request.method !== 'POST' || request.url !== '/v1/chat/completions') return refuse(response, 404, 'not_found');
  const { model, messages } = JSON.parse(await readBody(request)) as { model: string; messages: { content: string }[] };
  const words = sentence.split(/(?<= )/);
  const asked = messages.reduce((sum, { content }) => sum + content.split(/\s+/).length + 4, 3);
  const usage = { prompt_tokens: asked, completion_tokens: words.length, total_tokens: asked + words.length };
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const head = { id: 'chatcmpl-demo', object: 'chat.completion.chunk', created: Math.floor(Date.now() / 1000), model };
  const send = (event: object) => response.write(`data: ${JSON.stringify({ ...head, ...event })}\n\n`);
  for (const content of words) {
    send({ choices: [{ index: 0, delta: { role: 'assistant', content }, finish_reason: null }] });
    await pause(wordPauseMs);
  }
  send({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] });
  send({ choices: [], usage });
  response.end('data: [DONE]\n\n');
}

function refuse(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ error: { message: `the demo provider refused the call: ${code}`, type: code, code } }));
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > bodyBytes) throw new Error('the body is larger than the demo provider reads');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
