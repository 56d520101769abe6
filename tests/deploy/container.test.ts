import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { knownVariables, readRoot } from './sample.ts';

const dockerfile = readRoot('Dockerfile');
/** Instructions with their continued lines, without comments. */
const instructions = dockerfile
  .replace(/^\s*#.*\n/gm, '')
  .replaceAll('\\\n', ' ')
  .split('\n')
  .filter(Boolean)
  .map((line) => line.replace(/\s+/g, ' ').split(/ (.*)/s) as [string, string]);
const all = (name: string) => instructions.filter(([one]) => one === name).map(([, rest]) => rest);

/** Whether the build sees a path: the last line that matches decides. */
function isSent(path: string): boolean {
  let sent = true;
  for (const line of readRoot('.dockerignore').split('\n')) {
    const [, negated, pattern = ''] = /^(!?)([^#].*)$/.exec(line) ?? [];
    if (!pattern) continue;
    const expression = pattern
      .replace(/[.+^$()|[\]{}\\]/g, '\\$&')
      .replace(/\*\*\//g, '\u0000')
      .replace(/\*/g, '[^/]*')
      .replaceAll('\u0000', '(.*/)?');
    if (new RegExp(`^${expression}(/|$)`).test(path)) sent = negated === '!';
  }
  return sent;
}

describe('the container image', () => {
  it('is built in stages from the current long-term version of Node and runs without npm as a user that is not root', () => {
    expect(all('FROM')).toEqual([expect.stringMatching(/^node:24-\S+ AS build$/), expect.stringMatching(/^debian:/)]);
    expect(all('USER')).toEqual(['1000:1000']);
    const last = instructions.slice(instructions.findLastIndex(([name]) => name === 'FROM'));
    expect(last.filter(([name, rest]) => name === 'RUN' && /\bnpm\b/.test(rest))).toEqual([]);
  });

  it('hands signals on, checks its health at a path that exists, and keeps data in its volume', async () => {
    expect(JSON.parse(all('ENTRYPOINT')[0] ?? '')).toEqual(['tini', '--', 'tollgate']);
    expect(JSON.parse(all('CMD')[0] ?? '')).toEqual(['serve']);
    expect(all('HEALTHCHECK')[0]).toContain('/healthz');
    expect(all('VOLUME')).toEqual(['/data']);
    expect(all('EXPOSE')).toEqual(['3000']);
  });

  it('sets only variables that the program knows, and lets its first start need none', async () => {
    const settings = Object.fromEntries(all('ENV').flatMap((line) => line.split(' ').map((pair) => pair.split('='))));
    const known = await knownVariables();
    for (const name of Object.keys(settings).filter((one) => one !== 'NODE_ENV')) expect(known).toContain(name);
    expect(settings).toMatchObject({ HOST: '0.0.0.0', TOLLGATE_HOME: '/data', GENERATE_ROOT_PASSWORD: 'true' });
  });

  it('is built from the sources alone', () => {
    const copied = all('COPY').filter((line) => !line.startsWith('--from'));
    const files = copied.flatMap((line) => line.split(' ').slice(0, -1)).filter((path) => path !== '.');
    // What the build reads beside them.
    const needed = [
      ...files,
      'bin/build.ts',
      'tsconfig.json',
      'dashboard/vite.config.ts',
      'dashboard/docs/cli.md',
      'LICENSE',
    ];
    expect(needed.filter((path) => !isSent(path) || !existsSync(path))).toEqual([]);
    const own = [
      '.env',
      'dashboard/.env.local',
      'tollgate.db',
      'core/tollgate.db-wal',
      'master.key',
      '.git/config',
      'node_modules/x',
    ];
    const built = ['dashboard/node_modules/x', 'dist/bin/tollgate.cjs', 'tests/x.ts', 'core/a.log', 'dump.sql'];
    expect([...own, ...built].filter(isSent)).toEqual([]);
  });

  it('says how to be run in the README', () => {
    expect(readFileSync('README.md', 'utf8')).toMatch(/docker run .*--stop-timeout 40/);
  });
});
