import { describe, expect, it } from 'vitest';
import { setPasswordCost, shippedCost } from '../../../../core/lib/password.ts';
import {
  defaultRootHash,
  defaultRootPassword,
  hashNewPassword,
  verifyPassword,
} from '../../../../core/services/account/password.ts';
import { commonPasswords } from '../../../../core/services/account/password-list.ts';

const weak =
  'password password1 password123 passw0rd P@ssw0rd P@ssword1 Password1! pa55word 12345678 123456789 1234567890 87654321 987654321 ' +
  '11111111 00000000 88888888 12341234 123123123 11223344 147258369 789456123 qwertyui qwertyuiop qwerty123 qwerty12345 1q2w3e4r ' +
  '1q2w3e4r5t 1qaz2wsx zaq12wsx q1w2e3r4 qazwsxedc asdfghjkl asdf1234 zxcvbnm123 1234qwer qwer1234 abcd1234 abc12345 a1b2c3d4 ' +
  'aa123456 a123456789 iloveyou iloveyou1 princess1 sunshine1 football baseball1 superman batman123 trustno1 letmein1 welcome1 ' +
  'Welcome123 admin123 administrator root1234 changeme changeme1 michael1 jennifer jessica1 charlie1 dragon123 monkey123 shadow123 ' +
  'master123 starwars computer internet samsung1 google123 liverpool chelsea1 arsenal1 barcelona pokemon1 whatever mustang1 corvette ' +
  'maverick summer2024 Winter2025! spring2023 hello123 helloworld test1234 testtest guest1234 secret123 woaini1314 woaini520 5201314520 ' +
  'abcabcabc aaaaaaaa abcdefgh tollgate1 newapi123 openai123 chatgpt2024 correcthorsebatterystaple';
const strong = [
  'correct horse battery',
  'right horse 1',
  'v7#kLm2q',
  'Tr0ub4dor&3x',
  '天气很好我们去公园',
  'dGVzdHRva2Vu9',
  'lemon-tree-42-sofa',
];

describe('a new password', () => {
  it('S7 is held against a list of at least 3,000', () => {
    expect(commonPasswords().size).toBeGreaterThan(3000);
    for (const password of commonPasswords()) expect(password.length).toBeGreaterThanOrEqual(8);
  });

  it.each(weak.split(' '))('S7 may not be %s', (password) => {
    expect(() => hashNewPassword(password, 'somebody')).toThrow(/easy to guess/);
  });

  it.each(['alice123', 'Alice!!!!', 'alicealice'])('S7 may not be made of the own name: %s', (password) => {
    expect(() => hashNewPassword(password, 'alice')).toThrow(/easy to guess/);
  });

  it.each(strong)('may be %s', async (password) => {
    expect(await hashNewPassword(password, 'somebody')).toMatch(/^\$scrypt\$/);
  });
});

it('the hash that an installation begins with is that of the default password, at the cost of all others', async () => {
  expect(await verifyPassword(defaultRootPassword, defaultRootHash)).toEqual({ ok: true, needsRehash: false });
  setPasswordCost(shippedCost);
  const own = await hashNewPassword('v7#kLm2q', 'root');
  setPasswordCost({ N: 2 ** 10, r: 8, p: 1 });
  const costOf = (hash: string) => hash.split('$')[2];
  expect(costOf(defaultRootHash)).toBe(costOf(own));
});
