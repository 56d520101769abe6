import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../../core/errors/app-error.ts';
import { catalog } from '../../../core/errors/catalog.ts';

const root = join(import.meta.dirname, '../../..');

describe('the error catalog', () => {
  it('has each code once', () => {
    const folder = join(root, 'core/errors/catalog');
    const codes = readdirSync(folder).flatMap((file) =>
      [...readFileSync(join(folder, file), 'utf8').matchAll(/^ {2}'([\w.]+)': \{/gm)].map(([, code]) => code),
    );
    expect(codes.filter((code, index) => codes.indexOf(code) !== index)).toEqual([]);
    expect(codes.length).toBe(Object.keys(catalog).length);
  });

  it('contains no code that nothing throws', () => {
    const sources = ['core', 'cli'].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.tsx?$/.test(name) && !name.includes('catalog'))
        .map((name) => readFileSync(join(root, folder, name), 'utf8')),
    );
    const text = sources.join('\n');
    // Codes of these three subjects are also put together from a fault's name.
    const isBuilt = (code: string) => /^(body|option|user)\./.test(code) && text.includes(`'${code.split('.')[1]}'`);
    const unused = Object.keys(catalog).filter((code) => !text.includes(`'${code}'`) && !isBuilt(code));
    expect(unused).toEqual([]);
  });

  it('fills in what a message names', () => {
    const error = new AppError('model.notFound', { model: 'm1' });
    expect(error.text('en')).toContain('m1');
    expect(error.text('zh')).toContain('m1');
  });
});
