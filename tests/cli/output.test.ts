import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { type Column, createOutput, type OutputOptions } from '../../cli/output.ts';
import { layOut } from '../../cli/print/table.ts';
import { createSpeak } from '../../cli/text.ts';
import { AppError } from '../../core/errors/app-error.ts';
import type { Page } from '../../core/schemas/paging.ts';

function capture(options: Partial<OutputOptions> = {}, terminal = false) {
  const printed = { stdout: '', stderr: '' };
  const sink = (name: 'stdout' | 'stderr') =>
    Object.assign(
      new Writable({
        write(chunk, _encoding, done) {
          printed[name] += String(chunk);
          done();
        },
      }),
      { isTTY: terminal, columns: 80 },
    );
  const output = createOutput({
    json: false,
    quiet: false,
    verbose: false,
    color: false,
    fields: undefined,
    language: 'en',
    speak: createSpeak('en'),
    stdout: sink('stdout'),
    stderr: sink('stderr'),
    ...options,
  });
  return { output, printed };
}

interface Row {
  id: number;
  name: string;
}

const page: Page<Row> = { items: [{ id: 1, name: '主渠道\u001b[31m\tred' }], page: 1, page_size: 1, total: 3 };
const columns: Column<Row>[] = [
  { title: 'ID', value: ({ id }) => id, right: true },
  { title: 'NAME', value: ({ name }) => name },
];

describe('output', () => {
  it('takes escape sequences out of what others wrote', async () => {
    const { output, printed } = capture();
    await output.list(page, columns);
    expect(printed.stdout).toBe('1\t主渠道 red\n');
    output.say('\u001b[2Jhello');
    expect(printed.stderr).toBe('hello\n');
  });

  it('shows no mark that turns the direction of writing or is not seen, and has it as an escape in JSON', async () => {
    const name = 'a\u202eb\u200bc\u009bd';
    const rows = { ...page, items: [{ id: 1, name }] };
    const { output, printed } = capture();
    await output.list(rows, columns);
    expect(printed.stdout).toBe('1\tabcd\n');
    for (const print of [
      (json: ReturnType<typeof capture>['output']) => json.list(rows, columns),
      (json: ReturnType<typeof capture>['output']) => json.details({ id: 1, name }),
      (json: ReturnType<typeof capture>['output']) => json.done('done', { name }),
      (json: ReturnType<typeof capture>['output']) => json.append([{ id: 1, name }], columns),
      (json: ReturnType<typeof capture>['output']) => json.error(new Error(name)),
    ]) {
      const machine = capture({ json: true });
      await print(machine.output);
      const text = machine.printed.stdout + machine.printed.stderr;
      expect(text).toContain('a\\u202eb\\u200bc\\u009bd');
      expect(text).not.toMatch(/[\u202e\u200b\u009b]/);
    }
  });

  it('picks fields and names the ones there are for a wrong one', async () => {
    const { output, printed } = capture({ fields: ['name', 'id'], json: true });
    await output.list({ ...page, items: [{ id: 1, name: 'a' }] }, columns);
    expect(JSON.parse(printed.stdout)).toEqual({ items: [{ name: 'a', id: 1 }], page: 1, page_size: 1, total: 3 });
    const wrong = capture({ fields: ['nmae'] });
    await expect(wrong.output.list(page, columns)).rejects.toThrow(
      'the field nmae does not exist; choose from id, name',
    );
  });

  it('says that a list goes on behind the rows that were counted', async () => {
    const { output, printed } = capture({}, true);
    await output.list({ ...page, total: 10_000, total_capped: true } as Page<{ id: number; name: string }>, columns);
    expect(printed.stderr).toBe('1-1 of 10000+ · use --page 2 for more\n');
  });

  it('keeps standard output for data', async () => {
    const { output, printed } = capture({}, true);
    await output.list(page, columns);
    output.say('a message');
    output.error(new AppError('object.notFound', { what: 'user', id: 7, noun: 'user' }));
    expect(printed.stdout).toBe('ID  NAME\n 1  主渠道 red\n');
    expect(printed.stderr).toBe(
      '1-1 of 3 · use --page 2 for more\na message\ntollgate: user 7 not found\n  see the list with: tollgate user list\n',
    );
  });

  it('says that a list is empty, and that a page lies behind its end', async () => {
    const empty = capture({}, true);
    await empty.output.list({ ...page, items: [], total: 0 }, columns);
    expect(empty.printed.stderr).toBe('nothing found\n');
    const beyond = capture({}, true);
    await beyond.output.list({ items: [], page: 99, page_size: 30, total: 11 }, columns);
    expect(beyond.printed.stderr).toBe('page 99 is empty, because the list ends before it; total 11\n');
  });

  it('is silent about messages with --quiet, never about errors', () => {
    const { output, printed } = capture({ quiet: true });
    output.say('a message');
    output.done('done');
    output.error(new Error('broken'));
    expect(printed.stdout).toBe('');
    expect(printed.stderr).toContain('tollgate: broken\n');
  });

  it('shows stack and causes with --verbose', () => {
    const { output, printed } = capture({ verbose: true });
    output.error(new Error('outer', { cause: new Error('inner') }));
    expect(printed.stderr).toContain('Error: outer');
    expect(printed.stderr).toContain('caused by: Error: inner');
  });
});

describe('table', () => {
  const layout = [
    { title: 'ID', right: true },
    { title: 'NAME', keep: true },
    { title: 'MODELS' },
    { title: 'NOTE', extra: true },
  ];
  const rows = [['12', 'main channel', 'gpt-4o,gpt-4o-mini,o3', 'a long note at the end'].map((text) => ({ text }))];
  const lay = (width: number) => layOut(layout, rows, { width, color: false });

  it('leaves extras out first, then cuts the widest, then the names', () => {
    expect(lay(80)[1]).toBe('12  main channel  gpt-4o,gpt-4o-mini,o3  a long note at the end');
    expect(lay(45)[1]).toBe('12  main channel  gpt-4o,gpt-4o-mini,o3');
    expect(lay(30)[1]).toBe('12  main channel  gpt-4o,gpt-…');
    expect(lay(22)[1]).toBe('12  main ch…  gpt-4o,…');
  });

  it('leaves out columns that do not fit even when they are cut', () => {
    const wide = [
      { title: 'ID', right: true },
      { title: 'NAME', keep: true },
      { title: 'WHEN', whole: true },
    ];
    const cells = [[{ text: '12' }, { text: 'a name of a channel' }, { text: '2026-11-28 10:20:30' }]];
    expect(layOut(wide, cells, { width: 33, color: false })[1]).toBe('12  a name …  2026-11-28 10:20:30');
    expect(layOut(wide, cells, { width: 30, color: false })).toEqual(['ID  NAME', '12  a name of a channel']);
  });

  it('counts wide characters as two', () => {
    const lines = layOut([{ title: 'A' }, { title: 'B' }], [[{ text: '主渠道' }, { text: 'x' }]], {
      width: 80,
      color: false,
    });
    expect(lines).toEqual(['A       B', '主渠道  x']);
  });
});
