import type { Transaction } from 'sequelize';
import type { Database } from '../database/connect.ts';
import type { UserRow } from '../database/models/user.ts';
import { lockName } from '../database/named-lock.ts';
import { AppError } from '../errors/app-error.ts';
import type { OptionService } from './option.ts';

/** Two addresses with the same key are the same address. */
export const emailKey = (email: string): string => email.trim().toLowerCase();

/** What the operator allows; asked when a code is sent and again when the address is taken over. */
export function checkEmailRules(email: string, options: Pick<OptionService, 'get'>): void {
  const [local = '', domain = ''] = emailKey(email).split('@');
  if (options.get('EmailDomainRestrictionEnabled')) {
    const allowed = options.get('EmailDomainWhitelist').map((entry) => entry.toLowerCase());
    if (!allowed.includes(domain)) throw new AppError('email.domainRefused');
  }
  if (options.get('EmailAliasRestrictionEnabled') && /[+.]/.test(local)) throw new AppError('email.aliasRefused');
}

/** Whom the address opens a door to: accounts that are not deleted; imported ones may share it. */
export function findByEmail(database: Database, email: string): Promise<UserRow[]> {
  return database.select<UserRow>(
    "SELECT * FROM users WHERE lower(email) = :address AND email <> '' AND deleted_at IS NULL ORDER BY id LIMIT 2",
    { address: emailKey(email) },
  );
}

/** Whether any account has or had this address: whoever deletes theirs does not start anew with another gift. */
export async function isEmailKnown(database: Database, email: string): Promise<boolean> {
  const rows = await database.select(
    "SELECT 1 AS one FROM users WHERE lower(email) = :address AND email <> '' LIMIT 1",
    { address: emailKey(email) },
  );
  return rows.length > 0;
}

/** Whether another account, a deleted one included, has this address. Waits for everybody else who asks for it: two must not both find it free. */
export async function isEmailTaken(
  database: Database,
  email: string,
  transaction: Transaction,
  exceptUserId = 0,
): Promise<boolean> {
  const address = emailKey(email);
  await lockName(database, `email:${address}`, transaction);
  const rows = await database.select(
    `SELECT 1 AS one FROM users
     WHERE lower(email) = :address AND email <> '' AND id <> :exceptUserId LIMIT 1`,
    { address, exceptUserId },
    transaction,
  );
  return rows.length > 0;
}
