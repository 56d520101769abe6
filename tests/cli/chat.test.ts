import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemActor } from '../../core/schemas/actor.ts';
import { type CliOptions, runCli } from '../support/run-cli.ts';
import { startGateway, type TestGateway } from '../support/start-gateway.ts';
import { fixture } from '../support/upstream-script.ts';

describe('chat', () => {
  let gateway: TestGateway;
  let port: string;
  const run = (words: string | string[], options: CliOptions = {}) =>
    runCli(words, { ...options, env: { ...gateway.environment, PORT: port } });

  const sentBody = () => gateway.upstream.requests.at(-1)?.json as { messages: { content: string }[] };

  beforeAll(async () => {
    gateway = await startGateway();
    port = new URL(gateway.url).port;
    const { users } = gateway.app.services;
    const { id } = await users.find(systemActor, 'root');
    await users.adjustQuota(systemActor, { id, amount: 5_000_000, note: '' });
    await gateway.addToken(id, { name: 'default' });
  });
  afterAll(() => gateway.stop());

  it('finds the server of this installation, and shows the response and what it cost', async () => {
    const pieces: string[] = [];
    const { code, stdout, stderr } = await run(['chat', 'Why is', 'the sky blue?'], {
      watch: (text) => pieces.push(text),
    });
    expect(code).toBe(0);
    expect(stdout).toBe(`${gateway.upstream.defaults.text}\n`);
    expect(pieces.length).toBeGreaterThan(3);
    const [row] = (await gateway.logs()).slice(-1);
    expect(stderr).toBe(
      `gpt-4o-mini by channel #1 fake · first token ${/token (\d+) ms/.exec(stderr)?.[1]} ms · ` +
        `${row?.prompt_tokens} + ${row?.completion_tokens} tokens · $${((row?.quota ?? 0) / 500_000).toFixed(6)} · ` +
        `request ${row?.request_id}\n`,
    );
    const sent = sentBody();
    expect(sent.messages).toEqual([{ role: 'user', content: 'Why is the sky blue?' }]);
  });

  it('reads the question from standard input and gives one object to programs', async () => {
    const words = [
      'chat',
      '-',
      '--system',
      'Be short.',
      '-m',
      'gpt-4o-mini',
      '--token',
      'test',
      '--url',
      `${gateway.url}/v1/`,
    ];
    const answer = (await run([...words, '--json'], { stdin: 'new\nlines\n' })).json();
    const [row] = (await gateway.logs()).slice(-1);
    expect(answer).toEqual({
      model: 'gpt-4o-mini',
      answer: gateway.upstream.defaults.text,
      first_token_ms: expect.any(Number),
      total_ms: expect.any(Number),
      channel: 1,
      channel_name: 'fake',
      prompt_tokens: row?.prompt_tokens,
      completion_tokens: row?.completion_tokens,
      quota: row?.quota,
      request_id: row?.request_id,
    });
    // The token says who pays.
    expect(row?.user_id).toBe(gateway.userId);
    expect(sentBody().messages).toEqual([
      { role: 'system', content: 'Be short.' },
      { role: 'user', content: 'new\nlines' },
    ]);
  });

  it('takes a word that is an alias elsewhere as it was typed', async () => {
    await run('chat new ls rm');
    expect(sentBody().messages[0]?.content).toBe('new ls rm');
  });

  it('tells what the gateway refuses in its own words, with the exit code for it', async () => {
    const unknown = await run('chat hi -m nonsense');
    expect(unknown.code).toBe(3);
    expect(unknown.stderr).toMatch(/^tollgate: .*nonsense.*\n$/s);
    await gateway.addToken(gateway.userId, { name: 'poor', unlimited_quota: false, remain_quota: 0 });
    expect((await run('chat hi --token poor')).code).toBe(4);
    expect((await run('chat hi --token nobody')).code).toBe(3);
  });

  it('refuses an empty question and an invalid address', async () => {
    expect((await run('chat')).code).toBe(2);
    expect((await run('chat -', { stdin: ' \n' })).code).toBe(2);
    expect((await run('chat hi --url localhost')).code).toBe(2);
    expect((await run('chat hi --url ftp://localhost')).code).toBe(2);
  });

  it('says so when no server runs, and when another program responds there', async () => {
    const nobody = await run('chat hi --url http://127.0.0.1:2');
    expect(nobody.code).toBe(7);
    expect(nobody.stderr).toContain('there is no response from http://127.0.0.1:2 (ECONNREFUSED)');
    expect(nobody.stderr).toContain('tollgate serve');
    const other = createServer((_request, response) => response.end('<html>hello</html>')).listen(0, '127.0.0.1');
    await once(other, 'listening');
    const wrong = await run(`chat hi -m a --url http://127.0.0.1:${(other.address() as AddressInfo).port}`);
    other.close();
    expect(wrong.code).toBe(7);
    expect(wrong.stderr).toContain('is not a Tollgate server');
  });

  it('keeps what arrived and fails when the response breaks off', async () => {
    const whole = fixture('openai/chat.sse');
    gateway.upstream.respond({ ...whole, end: { after: 900, how: 'cut' } });
    const broken = await run('chat hi');
    expect(broken.code).toBe(7);
    expect(broken.stdout).not.toBe('');
    expect(broken.stderr).toMatch(/^tollgate: .+\n/);
  });

  it('ends the call upstream at Ctrl-C', async () => {
    const slow = fixture('openai/chat.sse', { delayMs: 200 });
    gateway.upstream.respond(slow);
    const stopped = await run('chat hi', { watch: (_text, signal) => signal('SIGINT') });
    expect(stopped.code).toBe(130);
    expect(stopped.stdout.endsWith('\n')).toBe(true);
    const call = gateway.upstream.requests.at(-1);
    await call?.closed;
    expect(call?.aborted).toBe(true);
  });

  it('fails as unreachable when the gateway has no upstream left', async () => {
    gateway.upstream.respond(...Array.from({ length: 6 }, () => 'openai/error-server.json'));
    const failed = await run('chat hi --json');
    expect(failed.code).toBe(7);
    expect(JSON.parse(failed.stderr).error).toMatchObject({ code: 'chat.refused' });
  });
});
