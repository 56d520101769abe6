import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { slowFiles } from './slow-first.ts';

const tests = new URL('..', import.meta.url).pathname;

it('names slow test files that are there, each once', () => {
  const missing = slowFiles.filter(
    (name) => !['ts', 'tsx'].some((ending) => existsSync(`${tests}${name}.test.${ending}`)),
  );
  expect(missing).toEqual([]);
  expect(new Set(slowFiles).size).toBe(slowFiles.length);
});
