import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { registerSchema } from '../../../core/schemas/account.ts';
import { redemptionCreateSchema } from '../../../core/schemas/redemption.ts';
import { userSettingSchema } from '../../../core/schemas/user-setting.ts';
import '../../../core/text/issue.ts';

const account = { username: 'ann', password: 'correct horse battery' };
const fields: [field: string, schema: z.ZodType, rest: object, good: string, wrong: string, why: string][] = [
  ['email', registerSchema, account, 'ann@example.com', 'ann', 'input.email'],
  ['email', registerSchema, account, 'ann@example.com', `${'a'.repeat(50)}@example.com`, 'input.maxCharacters'],
  ['notification_email', userSettingSchema, {}, 'ann@example.com', 'ann', 'input.email'],
  ['name', redemptionCreateSchema, {}, 'spring', 'x'.repeat(21), '"limit":20'],
  ['name', redemptionCreateSchema, {}, 'spring', 'spr\u200bing', 'input.noUnseen'],
];

describe('a text that may be left out', () => {
  it.each(fields)('%s says what is wrong with it when it is given', (field, schema, rest, good, wrong, why) => {
    for (const [value, read] of [
      [good, good],
      [` ${good} `, good],
      ['', ''],
      ['  ', ''],
      [null, ''],
      [undefined, ''],
    ])
      expect(schema.parse({ ...rest, [field]: value }), String(value)).toMatchObject({ [field]: read });
    const { error } = schema.safeParse({ ...rest, [field]: wrong });
    expect(error?.issues).toHaveLength(1);
    expect(error?.issues[0]?.message).toContain(why);
  });
});
