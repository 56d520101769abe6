import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = new URL('../..', import.meta.url).pathname;
const jobs = join(root, 'core/jobs');
const namesIn = (path: string, name: RegExp) =>
  [...readFileSync(path, 'utf8').matchAll(name)].map(([, found = '']) => found);

it.each(['operate.md', 'operate.zh.md'])('%s lists every job of a running server', (page) => {
  const names = readdirSync(jobs).flatMap((file) => namesIn(join(jobs, file), /^ +name: '([a-z]+(?:-[a-z]+)+)',$/gm));
  expect(names.length).toBeGreaterThan(12);
  const listed = namesIn(join(root, 'dashboard/docs', page), /^\| `([a-z]+(?:-[a-z]+)+)` \|/gm);
  expect(listed.sort()).toEqual(names.sort());
});
