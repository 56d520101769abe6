import { Writable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOutput } from '../../cli/output.ts';
import { startProgress } from '../../cli/print/progress.ts';
import { createSpeak } from '../../cli/text.ts';
import { type FakeUpstream, startFakeUpstream } from '../support/fake-upstream.ts';
import { type CliHome, createCliHome } from '../support/run-cli.ts';

describe('a batch', () => {
  let home: CliHome;
  let upstream: FakeUpstream;
  beforeAll(async () => {
    home = createCliHome();
    upstream = await startFakeUpstream();
    const words = `channel create --type openai --models gpt-4o --base-url ${upstream.url} --key-stdin --name`;
    for (const name of ['one', 'two', 'three']) await home.run(`${words} ${name}`, { stdin: 'upstream-key' });
  });
  afterAll(async () => {
    await upstream.close();
    home.remove();
  });

  const lines = (text: string) =>
    text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { success: boolean; message: string; data: Record<string, unknown> });

  it('is one line of JSON for each thing, failures too, and a last one that sums up', async () => {
    const run = await home.run('token enable one two --json');
    expect(run.code).toBe(3);
    expect(run.stdout).toBe('');
    const models = await home.run('channel test one two three --model gpt-4o --json');
    expect(models.code).toBe(0);
    expect(lines(models.stdout).map(({ success }) => success)).toEqual([true, true, true, true]);
    expect(lines(models.stdout).at(-1)).toEqual({
      success: true,
      message: '3 of 3 done',
      data: { done: 3, failed: 0, total: 3 },
    });
    await home.run('channel update two --base-url http://127.0.0.1:1 --keep-key');
    const partly = await home.run('channel test one two three --json');
    expect(partly.code).toBe(6);
    expect(lines(partly.stdout).map(({ success }) => success)).toEqual([true, false, true, false]);
    expect(lines(partly.stdout).at(-1)).toMatchObject({ data: { done: 2, failed: 1, total: 3 } });
    expect(JSON.parse(partly.stderr)).toMatchObject({ error: { code: 'cli.batchFailed' } });
  });

  it('ends behind the thing under way at Ctrl-C, says how far it came, and exits with 130', async () => {
    const run = await home.run('channel test --all', {
      watch: (text, signal) => {
        if (text.includes('responded')) signal('SIGINT');
      },
    });
    expect(run.code).toBe(130);
    expect(run.stdout.match(/responded/g)).toHaveLength(1);
    expect(run.stdout).toContain('stopped: 1 of 3 done, 0 failed, the rest not started');
  });

  it('shows a bar on a screen once it takes longer than a second, above it every line, and takes it away', async () => {
    const printed: string[] = [];
    const screen = () =>
      Object.assign(
        new Writable({
          write(chunk, _encoding, done) {
            printed.push(String(chunk));
            done();
          },
        }),
        { isTTY: true, columns: 80 },
      );
    const speak = createSpeak('en');
    const settings = { json: false, quiet: false, verbose: false, color: false, fields: undefined };
    const output = createOutput({ ...settings, language: 'en', speak, stdout: screen(), stderr: screen() });
    const progress = startProgress({ output, speak }, 4);
    progress.at(1);
    expect(printed).toEqual([]);
    while (printed.length === 0) await pause(50);
    expect(printed.at(-1)).toMatch(/^\[#{5}-{15}\] 1\/4 · \d\.\d\/s · \d+ s left$/);
    const bar = printed.at(-1);
    output.step({}, 'one is done');
    // The bar goes, the line takes its place, the bar is below.
    expect(printed.slice(-3)).toEqual(['\r\u001b[K', 'one is done\n', bar]);
    progress.end();
    expect(printed.at(-1)).toBe('\r\u001b[K');
    await pause(300);
    expect(printed.at(-1)).toBe('\r\u001b[K');
  });
});
