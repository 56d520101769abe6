import { createHash, createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readTelegramLogin, type TelegramLogin } from '../../../core/integrations/telegram/login-data.ts';

const botToken = '123456:ABC-DEF1234ghIkl-zyx57W2v1u123ew11';
const now = 1_700_000_100;
const short = {
  id: '42',
  first_name: 'Ann',
  auth_date: '1700000000',
  hash: 'b5a53e827dc8acb9a00d909ee40177e3f02a4830b7f5dfe72f9c674b3cef8d06',
};
const full = {
  ...short,
  last_name: 'Lee',
  username: 'annlee',
  photo_url: 'https://t.me/i/userpic/320/annlee.jpg',
  hash: '241ac2a297654a7c007e64d1875a7a1458e7d7ffd8aa8a74cb5f5c9204c5d9d4',
};
const read = (login: TelegramLogin, check = { botToken, now }) => readTelegramLogin(login, check);

function sign(fields: Record<string, string>): TelegramLogin {
  const lines = Object.entries(fields)
    .map(([name, value]) => `${name}=${value}`)
    .sort();
  const secret = createHash('sha256').update(botToken).digest();
  return { ...fields, hash: createHmac('sha256', secret).update(lines.join('\n')).digest('hex') };
}

describe('a Telegram sign-in', () => {
  it('is read when Telegram signed it', () => {
    expect(read(short)).toBe('42');
    expect(read(full)).toBe('42');
  });

  it('may carry the language, whether or not it is signed', () => {
    expect(read({ ...short, lang: 'en' })).toBe('42');
    expect(read(sign({ id: '42', auth_date: '1700000000', lang: 'en' }))).toBe('42');
  });

  it.each([
    ['older than 5 minutes', short, { botToken, now: 1_700_000_301 }],
    ['from the future', short, { botToken, now: 1_699_999_900 }],
    ['with another name', { ...short, first_name: 'Bob' }, undefined],
    ['of another id', { ...short, id: '43' }, undefined],
    ['with a field less', { ...full, username: undefined } as TelegramLogin, undefined],
    ['with a short hash', { ...short, hash: short.hash.slice(2) }, undefined],
    ['with a hash in upper case', { ...short, hash: short.hash.toUpperCase() }, undefined],
    ['without a hash', { ...short, hash: '' }, undefined],
    ['for another bot', short, { botToken: `${botToken}x`, now }],
    ['while no bot is set', sign({ id: '42', auth_date: '1700000000' }), { botToken: '', now }],
    ['without an id', sign({ auth_date: '1700000000' }), undefined],
    ['with an invalid id', sign({ id: '042', auth_date: '1700000000' }), undefined],
    ['without a time', sign({ id: '42' }), undefined],
    ['with an invalid time', sign({ id: '42', auth_date: '1.7e9' }), undefined],
  ])('B23 is refused %s', (_what, login, check) => {
    expect(read(login, check)).toBeUndefined();
  });
});
