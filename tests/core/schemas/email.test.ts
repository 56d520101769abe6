import { describe, expect, it } from 'vitest';
import { emailKey, emailSchema } from '../../../core/schemas/email.ts';

describe('e-mail address', () => {
  it.each([
    ['a@example.com', 'a@example.com'],
    [' A.b+c@Example.COM ', 'A.b+c@example.com'],
    ['ｖ＠ｘ．ｃｏ', 'v@x.co'],
    ['v@bücher.example', 'v@xn--bcher-kva.example'],
    ['v@BU\u0308CHER.example', 'v@xn--bcher-kva.example'],
    ['v@例え。テスト', 'v@xn--r8jz45g.xn--zckzah'],
    ['jürgen@x.co', 'jürgen@x.co'],
  ])('%s has one form', (written, form) => {
    expect(emailSchema.parse(written)).toBe(form);
    expect(emailKey(written)).toBe(form.toLowerCase());
    expect(emailKey(form)).toBe(emailKey(written));
  });

  it.each([
    '',
    'a',
    '@',
    'a@',
    '@x.co',
    'a@x',
    'a@b@x.co',
    'a＠b@x.co',
    'a@x..co',
    'a@.co',
    'a@x.co.',
    'a b@x.co',
    'a@x.co:80',
    'a@x.co/p',
    'a@u:p@x.co',
    'a@[::1]',
    'a@127.0.0.1',
    'a@127.1',
    'a@1.2',
    'a@x_y.co',
    'a@x%2eco',
    'a;b@x.co',
    'a,b@x.co',
    'a\r\nbcc: c@x.co',
    'a\u0000@x.co',
    'a\u200b@x.co',
    '<a@x.co>',
    '"a"@x.co',
    'a@x.co?q',
    `${'a'.repeat(50)}@x.co`,
  ])('refuses %j', (written) => {
    expect(emailSchema.safeParse(written).success).toBe(false);
  });
});
