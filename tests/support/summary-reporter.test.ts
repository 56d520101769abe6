import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const vitest = new URL('../../node_modules/vitest/vitest.mjs', import.meta.url).pathname;
const reporter = new URL('summary-reporter.ts', import.meta.url).pathname;

const flaky = `
  let tries = 0;
  it('is late once', () => { tries += 1; expect(tries).toBe(2); });
  it('never works', () => { expect(1).toBe(2); });
  it('works', () => {});
  it.skip('waits', () => {});
`;
const brokenHook = `
  describe('a server', () => {
    beforeAll(() => { throw new Error('does not start'); });
    it('answers', () => {});
  });
`;

describe('the summary of a test run', () => {
  let folder: string;
  let printed: string;
  let summary: unknown;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tollgate-summary-'));
    writeFileSync(join(folder, 'flaky.test.js'), flaky);
    writeFileSync(join(folder, 'hook.test.js'), brokenHook);
    ({ printed, summary } = await run({}));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  async function run(env: Record<string, string>): Promise<{ printed: string; summary: unknown }> {
    const file = join(folder, 'summary.json');
    const words = [vitest, 'run', '--root', folder, '--globals', '--retry', '1', '--reporter', reporter];
    const all = { PATH: process.env.PATH, TOLLGATE_TEST_SUMMARY: file, ...env };
    const { stdout } = await execa(process.execPath, words, { cwd: folder, extendEnv: false, reject: false, env: all });
    const written = JSON.parse(readFileSync(file, 'utf8'));
    rmSync(file);
    return { printed: stdout, summary: written };
  }

  it('counts a test that passed on its second try as passed, and names it with its first error', () => {
    const name = 'flaky.test.js: is late once (expected 1 to be 2 // Object.is equality)';
    expect(printed).toContain(`second try: ${name}`);
    expect(summary).toMatchObject({ passed: 2, secondTry: [name] });
  });

  it('counts a test that failed twice and a hook that failed, and names what was skipped', () => {
    expect(printed).toContain('skipped: flaky.test.js: waits');
    expect(summary).toMatchObject({ failed: 2 });
  });

  it('leaves files that failed to the run that follows, and says what was wrong in them', async () => {
    const list = join(folder, 'again');
    const next = await run({ TOLLGATE_FILES_AGAIN: list });
    expect(readFileSync(list, 'utf8').split('\n').sort()).toEqual(['', 'flaky.test.js', 'hook.test.js']);
    expect(next.summary).toMatchObject({ passed: 0, failed: 0, skipped: 0 });
    expect(next.printed).toContain('second try: flaky.test.js, from its start (never works: expected 1 to be 2');
    expect(next.printed).toContain('second try: hook.test.js, from its start (does not start)');
  });

  it('leaves nothing to a run that follows when many files failed', async () => {
    const list = join(folder, 'again');
    for (const number of [1, 2, 3, 4]) writeFileSync(join(folder, `more-${number}.test.js`), brokenHook);
    const next = await run({ TOLLGATE_FILES_AGAIN: list });
    expect(readFileSync(list, 'utf8')).toBe('');
    expect(next.summary).toMatchObject({ passed: 2, failed: 6 });
  });
});
