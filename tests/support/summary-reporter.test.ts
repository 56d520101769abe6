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
    const file = join(folder, 'summary.json');
    const words = [vitest, 'run', '--root', folder, '--globals', '--retry', '1', '--reporter', reporter];
    const env = { PATH: process.env.PATH, TOLLGATE_TEST_SUMMARY: file };
    const { stdout } = await execa(process.execPath, words, { cwd: folder, extendEnv: false, reject: false, env });
    printed = stdout;
    summary = JSON.parse(readFileSync(file, 'utf8'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('counts a test that passed on its second try as passed, and names it with its first error', () => {
    const name = 'flaky.test.js: is late once (expected 1 to be 2 // Object.is equality)';
    expect(printed).toContain(`passed on a second try: ${name}`);
    expect(summary).toMatchObject({ passed: 2, secondTry: [name] });
  });

  it('counts a test that failed twice and a hook that failed, and names what was skipped', () => {
    expect(printed).toContain('skipped: flaky.test.js: waits');
    expect(summary).toMatchObject({ failed: 2 });
  });
});
