import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../../core/errors/app-error.ts';
import { detailZh } from '../../../core/errors/detail-text.ts';
import { parseInput } from '../../../core/http/console/parse-input.ts';
import { modelMappingSchema, paramOverrideSchema } from '../../../core/schemas/channel-json.ts';
import { optionDefinitions } from '../../../core/schemas/option.ts';
import { idParams } from '../../../core/schemas/query.ts';

const core = join(import.meta.dirname, '../../../core');
const folders = ['schemas', 'http', 'services', 'integrations'];
/** Where a text for a reader is written down, by the way it is written. */
const writtenAs = [
  /\bmessage: (['`])((?:(?!\1).)+)\1/g,
  /\.regex\(.+?, (['`])(.+?)\1\)/g,
  /addIssue\((['`])(.+?)\1\)/g,
  /\b(?:reason|what|form): (['`])(.+?)\1/g,
  /\bform(?: =|:) (['`])(.+?)\1/g,
];
/** Words of the envelope, and texts that only calls of API clients get: those are in English. */
const passedOver = /^(success|error|bind|Server is running|HTTP .*|\{"name": 7\}|data\..*)$/;
const relayOnly = /multipart-body|json-body/;

function writtenTexts(): string[] {
  const sources = folders.flatMap((folder) =>
    readdirSync(join(core, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !relayOnly.test(name))
      .map((name) => readFileSync(join(core, folder, name), 'utf8')),
  );
  const found = sources.flatMap((text) =>
    writtenAs.flatMap((pattern) => [...text.matchAll(pattern)].map(([, , found = '']) => found)),
  );
  // A number stands for whatever is filled in.
  return [...new Set(found.map((text) => text.replace(/\$\{[^}]*\}/g, '7')))].filter(
    (text) => /[a-z]{3}/.test(text) && !passedOver.test(text) && !text.startsWith('[{'),
  );
}

const isChinese = (text: string) => /\p{Script=Han}/u.test(text);

describe('what is filled into a message', () => {
  it('has Chinese for every text our own code writes', () => {
    const texts = writtenTexts();
    expect(texts.length).toBeGreaterThan(30);
    expect(texts.filter((text) => !isChinese(detailZh(text)))).toEqual([]);
  });

  it('is Chinese inside a Chinese message, wherever the text comes from', () => {
    for (const work of [
      () => parseInput(idParams, { id: 'abc' }, 'zh'),
      () => parseInput(modelMappingSchema, '{"a":7}', 'zh'),
      () => parseInput(paramOverrideSchema, '{"model":"x"}', 'zh'),
    ]) {
      expect(work).toThrow(/\p{Script=Han}/u);
    }
    const reason = 'username: at most 12 characters';
    expect(new AppError('input.invalid', { reason }).text('zh')).toBe('输入无效：username: 不能超过 12 个字符');
    expect(new AppError('object.notFound', { what: 'user', id: 7, noun: 'user' }).text('zh')).toBe('未找到用户 7');
    expect(new AppError('outbound.refused', { address: 'a', reason: 'metadata' }).text('zh')).toContain('元数据');
  });

  it('is Chinese for the form an option takes', () => {
    for (const [key, { kind, read }] of Object.entries(optionDefinitions)) {
      const reading = kind === 'json' ? read('{"a":{"b":[]},"c":') : read('javascript:1');
      if (!('fault' in reading) || !('form' in reading.fault) || reading.fault.form.startsWith('[{')) continue;
      expect(isChinese(detailZh(reading.fault.form)), `${key}: ${reading.fault.form}`).toBe(true);
    }
  });

  it('leaves the texts of others and the names people chose alone', () => {
    expect(detailZh('quota exceeded for project 7')).toBe('quota exceeded for project 7');
    expect(detailZh('constructor')).toBe('constructor');
    expect(new AppError('object.nameTaken', { what: 'user', name: 'token' }).text('zh')).toBe('用户“token”已存在');
    expect(new AppError('object.nameTaken', { what: 'user', name: 'token' }).text('en')).toContain('a user named');
  });
});
