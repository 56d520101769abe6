import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

/** A row of the latest results of the benchmark: what was measured, and its details. */
function measured(figure: string): { value: string; details: string[] } {
  const [, latest = ''] = read('dashboard/docs/benchmark.md').split('## Latest results');
  const row = latest.split('\n').find((line) => line.startsWith(`| ${figure} |`));
  const [, , value = '', details = ''] = row?.split('|') ?? [];
  return { value: numbersIn(value)[0] ?? '', details: numbersIn(details) };
}

const numbersIn = (text: string) => text.match(/\d[\d,]*(?:\.\d+)?/g) ?? [];
const cpu = measured('CPU per plain call / raw, 64 callers');
const calls = measured('calls/s at 64 callers / raw');
const firstToken = measured('added time to first token over raw, 16 callers');
const memory = measured('memory per open stream');

it.each(['README.md', 'dashboard/docs/readme.zh.md'])('%s has the figures of the latest benchmark', (page) => {
  const paragraph = read(page)
    .split('\n\n')
    .find((text) => text.includes('KiB') && text.includes('benchmark'));
  const numbers = numbersIn((paragraph ?? '').replace(/\d{4}-\d\d-\d\d/, ''));
  expect(numbers).toEqual([calls.details[0], calls.value, cpu.value, firstToken.value, memory.value]);
});

it.each(['grow.md', 'grow.zh.md'])('%s has the figures of the latest benchmark', (page) => {
  const rows = read(`dashboard/docs/${page}`).split('\n');
  const [speed = '', room = ''] = rows.filter((row) => /^\|.*\]\(benchmark(\.zh)?\.md#/.test(row));
  expect(numbersIn(speed)).toEqual([calls.details[0], '64', cpu.details[0]]);
  expect(numbersIn(room)).toEqual([memory.value]);
});
