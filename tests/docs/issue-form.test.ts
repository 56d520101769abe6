import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';

const root = new URL('../..', import.meta.url).pathname;
const folder = join(root, '.github');
const read = (name: string) => readFileSync(join(folder, name), 'utf8');

const id = z.string().regex(/^[\w-]+$/);
const validations = z.strictObject({ required: z.boolean() });
const question = { label: z.string().min(1), description: z.string().optional() };
const words = { placeholder: z.string().optional(), value: z.string().optional() };
const options = z
  .array(z.string().min(1))
  .min(1)
  .refine((list) => new Set(list).size === list.length, 'an option stands twice')
  .refine((list) => !list.some((option) => /^none$/i.test(option)), 'GitHub adds "None" by itself');

/** The elements of an issue form, as GitHub describes them. */
const element = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('markdown'), attributes: z.strictObject({ value: z.string().min(1) }) }),
  z.strictObject({
    type: z.literal('input'),
    id,
    attributes: z.strictObject({ ...question, ...words }),
    validations: validations.optional(),
  }),
  z.strictObject({
    type: z.literal('textarea'),
    id,
    attributes: z.strictObject({ ...question, ...words, render: z.string().optional() }),
    validations: validations.optional(),
  }),
  z.strictObject({
    type: z.literal('dropdown'),
    id,
    attributes: z.strictObject({
      ...question,
      options,
      multiple: z.boolean().optional(),
      default: z.number().int().optional(),
    }),
    validations: validations.optional(),
  }),
  z.strictObject({
    type: z.literal('checkboxes'),
    id,
    attributes: z.strictObject({
      ...question,
      options: z.array(z.strictObject({ label: z.string().min(1), required: z.boolean().optional() })).min(1),
    }),
    validations: validations.optional(),
  }),
]);

const form = z.strictObject({
  name: z.string().min(1),
  description: z.string().min(1),
  title: z.string().optional(),
  labels: z.array(z.string()).optional(),
  body: z.array(element).min(1),
});

const forms = readdirSync(join(folder, 'ISSUE_TEMPLATE')).filter((name) => name !== 'config.yml');

describe('the forms for issues', () => {
  it.each(forms)('%s is a form that GitHub shows', (name) => {
    const { body } = form.parse(parse(read(`ISSUE_TEMPLATE/${name}`)));
    const asked = body.flatMap((one) => (one.type === 'markdown' ? [] : [one]));
    expect(asked.length).toBeGreaterThan(0);
    expect(new Set(asked.map((one) => one.id)).size).toBe(asked.length);
    expect(new Set(asked.map(({ attributes }) => attributes.label)).size).toBe(asked.length);
  });

  it('keep empty issues away and warn of keys', () => {
    expect(forms.sort()).toEqual(['bug.yml', 'feature.yml']);
    expect(parse(read('ISSUE_TEMPLATE/config.yml'))).toEqual({ blank_issues_enabled: false });
    expect(read('ISSUE_TEMPLATE/bug.yml')).toContain('remove keys');
  });
});

describe('the notes for contributors', () => {
  it.each(['CONTRIBUTING.md', 'SECURITY.md'])('%s links to files that exist', (name) => {
    const links = [...read(name).matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, target = '']) => target);
    expect(links.length).toBeGreaterThan(0);
    for (const target of links) expect(existsSync(join(dirname(join(folder, name)), target)), target).toBe(true);
  });

  it('name scripts and folders that exist', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object };
    const texts = ['CONTRIBUTING.md', 'PULL_REQUEST_TEMPLATE.md'].map(read).join('\n');
    for (const [, name = ''] of texts.matchAll(/npm run (\w+)/g)) expect(scripts).toHaveProperty([name]);
    for (const [, row = ''] of read('CONTRIBUTING.md').matchAll(/^\| (`.*`) \|/gm))
      for (const path of row.replaceAll('`', '').split(', ')) expect(existsSync(join(root, path)), path).toBe(true);
  });
});
