import { expect, it } from 'vitest';
import { AppError } from '../../../core/errors/app-error.ts';

it.each([
  [new AppError('session.banned'), 'This account is disabled'],
  [new AppError('twoFactor.notOn'), 'Two-factor authentication is not on for this account'],
  [new AppError('object.notFound', { what: 'channel', id: 7 }), 'Channel 7 not found'],
  [new AppError('group.usual', { group: 'vip' }), 'vip is the default group, so it cannot be removed'],
  [new AppError('backup.noTool'), 'pg_dump is required to back up PostgreSQL, but it is not installed'],
  [new AppError('session.banned', {}, { about: '1 (root)' }), '1 (root): this account is disabled'],
])('begins with a capital where it stands alone, unless a name comes first: %s', (error, sentence) => {
  expect(error.sentence('en')).toBe(sentence);
});

it('leaves other languages, and texts that follow a colon, as they are', () => {
  const error = new AppError('session.banned');
  expect(error.sentence('zh')).toBe(error.text('zh'));
  expect(error.text('en')).toBe('this account is disabled');
});
