import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { binaryPath } from '../support/built-binary.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-moving-'));
  mkdirSync(join(folder, 'bin'));
  const program = `#!/bin/sh\nexec "${process.execPath}" "${binaryPath()}" "$@"\n`;
  writeFileSync(join(folder, 'bin/tollgate'), program, { mode: 0o755 });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** In the home of a user, where nothing says where data belongs. */
function type(line: string, home: string) {
  const env = { PATH: `${join(folder, 'bin')}:${process.env.PATH}`, HOME: join(folder, home), LC_ALL: 'C.UTF-8' };
  mkdirSync(env.HOME, { recursive: true });
  return execa('sh', ['-c', line], { cwd: env.HOME, env, extendEnv: false, reject: false });
}

it.runIf(process.platform === 'linux')(
  'the commands that take an export in work as they stand',
  async () => {
    const page = readFileSync(new URL('../../dashboard/docs/moving.md', import.meta.url), 'utf8');
    const [, text = ''] = page.split('## Take everything out');
    const [out = '', back = ''] = [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block.trim());
    expect(back.split('\n').length).toBeGreaterThan(3);
    const place = (line: string) =>
      line.replaceAll('/mnt/move', join(folder, 'move')).replaceAll('/old', join(folder, 'old/.local/share/tollgate'));
    const key = (await type('tollgate init --no-input', 'old')).stdout;
    expect(await type(place(out), 'old')).toMatchObject({ exitCode: 0 });
    for (const line of back.split('\n')) expect(await type(place(line), 'new'), line).toMatchObject({ exitCode: 0 });
    expect((await type('tollgate token show-key default', 'new')).stdout).toBe(key);
  },
  60_000,
);
