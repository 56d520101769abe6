import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runBinary } from '../support/built-binary.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-env-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('reads .env in its common form: comments behind values, quotes, export', async () => {
  const lines = ['PORT=45105 # the console', 'export NODE_TYPE="slave"', "HOST='127.0.0.1' # loopback", '# PORT=1'];
  writeFileSync(join(folder, '.env'), `${lines.join('\n')}\n`);
  const env = { TOLLGATE_HOME: join(folder, 'home'), LC_ALL: 'C.UTF-8' };
  const run = await runBinary(['config', 'check', '--json'], { cwd: folder, env, reject: false });
  const { items } = JSON.parse(String(run.stdout)) as { items: { check: string; status: string; message: string }[] };
  const of = (name: string) => items.find(({ check }) => check === name);
  expect(of('PORT')).toMatchObject({ status: 'ok', message: expect.stringContaining('45105') });
  expect(of('NODE_TYPE')).toMatchObject({ status: 'ok', message: expect.stringContaining('slave') });
  expect(of('HOST')).toMatchObject({ status: 'ok', message: expect.stringContaining('127.0.0.1') });
});
