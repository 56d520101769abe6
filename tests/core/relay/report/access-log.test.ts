import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createLogger } from '../../../../core/lib/logger.ts';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';
import { failure, json } from '../../../support/upstream-script.ts';

type Line = Record<string, unknown>;

const root = new URL('../../../..', import.meta.url).pathname;
const secretPrompt = 'the prompt nobody else may read';
const secretResponse = 'the response nobody else may read';

describe('the access log', () => {
  let gateway: TestGateway;
  let directory = '';
  beforeAll(async () => {
    gateway = await startGateway('sqlite');
    directory = mkdtempSync(join(tmpdir(), 'tollgate-access-log-'));
    gateway.upstream.defaults.text = secretResponse;
    await gateway.setOption('RetryTimes', '0');
  });
  beforeEach(() => gateway.upstream.always(undefined));
  afterAll(async () => {
    await gateway.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  /** The lines that the calls leave in a log of this level. */
  async function linesOf(level: 'info' | 'warn', calls: () => Promise<void>, count: number): Promise<Line[]> {
    const folder = mkdtempSync(join(directory, `${level}-`));
    Object.assign(gateway.app.logger, createLogger({ level, format: 'json', directory: folder }));
    await calls();
    const read = () => {
      gateway.app.logger.flush();
      return readFileSync(join(folder, 'tollgate.log'), 'utf8').split('\n').filter(Boolean);
    };
    await expect.poll(read).toHaveLength(count);
    return read().map((line) => JSON.parse(line) as Line);
  }

  async function ask(body: Line = {}, key = gateway.key): Promise<Response> {
    const messages = [{ role: 'user', content: secretPrompt }];
    const response = await gateway.chat({ messages, ...body }, { key });
    await response.text();
    return response;
  }

  // The first: nothing has been charged yet.
  it('M14 says that many responses at a price were not charged, and of which model and channel', async () => {
    const channel = await gateway.addChannel({ models: 'dall-e-3' });
    const lines = await linesOf(
      'warn',
      async () => {
        // An upstream that draws nothing is paid for nothing.
        gateway.upstream.always(json(200, { created: 1, data: [] }));
        for (let call = 0; call < 20; call += 1) {
          const response = await gateway.call('/v1/images/generations', { model: 'dall-e-3', prompt: 'a dot' });
          expect(response.status).toBe(200);
          await response.text();
        }
      },
      1,
    );
    expect(lines).toMatchObject([
      {
        level: 50,
        msg: expect.stringContaining('none of the last ones was charged'),
        calls: 20,
        model: 'dall-e-3',
        channel,
      },
    ]);
    await gateway.verifyBooks();
  });

  it('has one line per call, with who, what, where, how long and how much', async () => {
    let id: string | null = null;
    const [plain, streamed] = await linesOf(
      'info',
      async () => {
        id = (await ask()).headers.get('x-request-id');
        await ask({ stream: true });
      },
      2,
    );
    const row = await gateway.lastLog();
    expect(plain).toMatchObject({
      level: 30,
      msg: 'relay',
      id,
      user: gateway.userId,
      token: 1,
      model: 'gpt-4o-mini',
      channel: 1,
      protocol: 'openai-chat',
      stream: false,
      status: 200,
      outcome: 'complete',
      ms: expect.any(Number),
    });
    expect(streamed).toMatchObject({
      stream: true,
      first_token_ms: expect.any(Number),
      prompt_tokens: row?.prompt_tokens,
      completion_tokens: row?.completion_tokens,
      quota: row?.quota,
    });
  });

  it('has a line for a call that failed, with its reason, and none without a valid key', async () => {
    gateway.upstream.always(failure(500, { message: secretPrompt }));
    const lines = await linesOf(
      'info',
      async () => {
        await ask({}, 'sk-unknown');
        await ask();
        await ask({ model: 'unheard-of' });
      },
      2,
    );
    expect(lines).toMatchObject([
      { level: 40, outcome: 'error', channel: 0, tried: '1', code: '500', upstream_status: 500, quota: 0 },
      { level: 30, outcome: 'error', code: 'relay.unknownModel', quota: 0 },
    ]);
  });

  it('keeps only what is worth a look with LOG_LEVEL=warn', async () => {
    const lines = await linesOf(
      'warn',
      async () => {
        await ask();
        gateway.upstream.always(failure(500, { message: secretPrompt }));
        await ask();
      },
      1,
    );
    expect(lines).toMatchObject([{ level: 40, upstream_status: 500 }]);
  });

  it('S13 contains no key, prompt or response, and no field that the documentation does not name', async () => {
    const lines = await linesOf(
      'info',
      async () => {
        await ask();
        await ask({ stream: true });
        gateway.upstream.always(failure(401, { message: `${secretPrompt} upstream-key` }));
        await ask();
      },
      3,
    );
    const text = JSON.stringify(lines);
    for (const secret of [secretPrompt, secretResponse, gateway.key, 'upstream-key'])
      expect(text).not.toContain(secret);
    for (const file of ['operate.md', 'operate.zh.md']) {
      const [, section = ''] =
        /^## (?:Logs|日志)\n([\s\S]*)/m.exec(readFileSync(join(root, 'dashboard/docs', file), 'utf8')) ?? [];
      const documented = [...section.matchAll(/^\| (`.*?`) \|/gm)].flatMap(([, names = '']) =>
        [...names.matchAll(/`(\w+)`/g)].map(([, name]) => name),
      );
      expect(documented, file).toEqual(expect.arrayContaining(lines.flatMap((line) => Object.keys(line))));
    }
  });
});
