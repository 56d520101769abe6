import { writeFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { GatewayProcess } from '../../support/gateway-process.ts';
import { createInstallation, type Installation } from '../../support/installation.ts';
import { json } from '../../support/upstream-script.ts';

const claude = 'claude-sonnet-4-5-20250929';
const message = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude',
  stop_reason: 'end_turn',
  stop_sequence: null,
  content: [{ type: 'text', text: 'Hi.' }],
  usage: { input_tokens: 20, output_tokens: 3 },
};

/** A server with half a gigabyte of heap, and a channel that every call has to be converted for. */
describe('a server with a small heap', () => {
  let installation: Installation;
  let server: GatewayProcess;

  beforeAll(async () => {
    installation = await createInstallation('sqlite', {
      environment: { NODE_OPTIONS: '--max-old-space-size=512' },
    });
    const { upstream, cli } = installation;
    upstream.route('/v1/messages', json(200, message));
    // Millions of tokens are to cost next to nothing.
    const cheap = await cli('option', 'set', 'ModelRatio', JSON.stringify({ 'gpt-4o-mini': 0.001, [claude]: 0.001 }));
    expect(cheap.code, cheap.stderr).toBe(0);
    server = await installation.start();
    await writeFile(`${installation.directory}/key`, 'upstream-key');
    const words = ['--type', '14', '--name', 'claude', '--models', claude, '--base-url', upstream.url];
    const created = await cli('channel', 'create', ...words, '--key-file', `${installation.directory}/key`);
    expect(created.code, created.stderr).toBe(0);
  });
  afterAll(() => installation.remove());

  async function post(body: Buffer, encoding?: string): Promise<string> {
    const response = await fetch(`${server.url}/v1/chat/completions`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${installation.key}`,
        'content-type': 'application/json',
        ...(encoding && { 'content-encoding': encoding }),
      },
      body,
    });
    await response.text();
    const isToldWhen = response.status !== 503 || /^[1-5]$/.test(response.headers.get('retry-after') ?? '');
    return isToldWhen ? String(response.status) : '503 without Retry-After';
  }

  async function expectAlive(): Promise<void> {
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    expect(await post(Buffer.from(chat('gpt-4o-mini', 'hi')))).toBe('200');
  }

  const chat = (model: string, content: string) => JSON.stringify({ model, messages: [{ role: 'user', content }] });

  it.each(['gpt-4o-mini', claude])('outlives fourteen calls of ten million empty objects each: %s', async (model) => {
    const body = gzipSync(`{"z":[${'{},'.repeat(10_000_000)}{}],${chat(model, 'hi').slice(1)}`);
    const statuses = await Promise.all(Array.from({ length: 14 }, () => post(body, 'gzip')));
    expect(statuses).toEqual(new Array(14).fill('400'));
    await expectAlive();
  });

  const parts = Array.from({ length: 19_000 }, () => ({ type: 'text', text: 'x'.repeat(1000) }));
  const heavy: [string, string][] = [
    ['just as many values as may be', `{"z":[${'{},'.repeat(99_000)}{}],${chat(claude, 'hi').slice(1)}`],
    ['19,000 parts of 1,000 bytes', JSON.stringify({ model: claude, messages: [{ role: 'user', content: parts }] })],
    ['a text of 29 MiB', chat(claude, 'x'.repeat(29 * 1024 * 1024))],
  ];

  it.each(heavy)(
    'outlives fourteen calls at one time, each with %s',
    async (_name, text) => {
      const body = Buffer.from(text);
      const statuses = await Promise.all(Array.from({ length: 14 }, () => post(body)));
      expect(new Set([...statuses, '200', '503'])).toEqual(new Set(['200', '503']));
      expect(statuses).toContain('200');
      await expectAlive();
    },
    180_000,
  );
});
