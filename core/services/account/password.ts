import { AppError } from '../../errors/app-error.ts';
import * as lib from '../../lib/password.ts';
import { passwordSchema, usernameKey } from '../../schemas/user.ts';
import { commonPasswords, commonWords } from './password-list.ts';

/** Only ever allowed as the password root has after the installation. */
export const defaultRootPassword = '123456';

/** The one above as an installation stores it. The password is in the manual, so a salt of each installation's own would hide nothing. */
export const defaultRootHash =
  '$scrypt$N=32768,r=8,p=3$AAAAAAAAAAAAAAAAAAAAAA$7MgR2KFrvrEJUaMz1pJDra6oH9J5-ocdYduvvOWpqus';

/** Hashes a password that a user chose; easily guessed ones are refused. */
export function hashNewPassword(password: string, username: string): Promise<string> {
  refuseGuessable(password, username);
  return inTurn(() => lib.hashPassword(password));
}

/** For a question that is asked before there is an account. */
export function refuseGuessable(password: string, username: string): void {
  if (isGuessable(password, username)) throw new AppError('password.weak');
}

/** What a first start is given for root; the default is one of the rules' exceptions. */
export function refuseRootPassword(password: string = defaultRootPassword): void {
  if (password === defaultRootPassword) return;
  const broken = passwordSchema.safeParse(password).error?.issues[0];
  if (broken) {
    const details = { name: 'TOLLGATE_ROOT_PASSWORD', value: '********', allowed: broken.message };
    throw new AppError('config.invalid', details);
  }
  refuseGuessable(password, 'root');
}

/** Without the rules for new passwords: for the installation, and for one that was right a moment ago. */
export const hashKnownPassword = (password: string): Promise<string> => inTurn(() => lib.hashPassword(password));

export const verifyPassword = (password: string, stored: string): Promise<lib.PasswordCheck> =>
  inTurn(() => lib.verifyPassword(password, stored));

export const spendVerification = (password: string): Promise<void> => inTurn(() => lib.spendVerification(password));

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof lib.PasswordQueueError)) throw error;
    throw new AppError('password.busy', {}, { cause: error, retryAfterSeconds: 5 });
  }
}

function isGuessable(password: string, username: string): boolean {
  const plain = unfold(password);
  const letters = plain.replace(/^[^\p{L}]{0,4}|[^\p{L}]{0,6}$/gu, '');
  const name = usernameKey(username);
  return (
    commonPasswords().has(usernameKey(password)) ||
    commonPasswords().has(plain) ||
    commonWords.has(letters) ||
    (name.length >= 3 && (letters === name || /^[\d\W_]{0,4}$/.test(usernameKey(password).replaceAll(name, '')))) ||
    isPattern(usernameKey(password))
  );
}

/** Common disguises: p@ssw0rd. */
function unfold(password: string): string {
  const disguises: Record<string, string> = { '@': 'a', '0': 'o', $: 's', '3': 'e', '!': 'i' };
  const text = usernameKey(password);
  // Digits behind the word are a suffix, not a disguise.
  const body = text.replace(/[\d\W_]+$/, '');
  return body.replace(/[@0$3!]/g, (sign) => disguises[sign] ?? sign) + text.slice(body.length);
}

const rows = [
  '01234567890',
  '09876543210',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiopasdfghjklzxcvbnm',
  '1qaz2wsx3edc4rfv',
];

/** One character, one short block repeated, or a run along the alphabet, the digits or the keyboard. */
function isPattern(text: string): boolean {
  if (/^(.{1,4}?)\1+$/u.test(text)) return true;
  return rows.some(
    (row) =>
      row.repeat(2).includes(text) ||
      text.split(/(?<=\D)(?=\d)|(?<=\d)(?=\D)/).every((part) => part.length >= 3 && row.includes(part)),
  );
}
