import { Op, type Transaction } from 'sequelize';
import type { Database } from '../../database/connect.ts';
import type { UserRow } from '../../database/models/user.ts';
import { lockName } from '../../database/named-lock.ts';
import { AppError } from '../../errors/app-error.ts';
import { canonicalDomain, emailKey } from '../../schemas/email.ts';
import type { OptionService } from '../option/option.ts';

/** What the operator allows; asked when a code is sent and again when the address is taken over. */
export function checkEmailRules(email: string, options: Pick<OptionService, 'get'>): void {
  const [local = '', domain = ''] = emailKey(email).split('@');
  if (options.get('EmailDomainRestrictionEnabled')) {
    if (!options.get('EmailDomainWhitelist').map(domainOf).includes(domain)) throw new AppError('email.domainRefused');
  }
  if (options.get('EmailAliasRestrictionEnabled') && /[+.]/.test(local)) throw new AppError('email.aliasRefused');
}

/** An entry of the list, which some write with the @ before it. */
function domainOf(entry: string): string {
  const domain = entry.replace(/^@/, '');
  return canonicalDomain(domain) ?? domain.toLowerCase();
}

/**
 * Whom the address opens a door to: the one account that is not deleted and has it. Where several share a mailbox, imported or from
 * before spellings were told to be the same, it is the one that wrote it as it is written now; with two of those, none matches.
 */
export async function findByEmail(database: Database, email: string): Promise<UserRow | undefined> {
  const where = { ...hasEmail(email), deleted_at: null };
  const rows = await database.users.findAll({ where, order: [['id', 'ASC']], limit: 100, raw: true });
  if (rows.length <= 1) return rows[0];
  const asWritten = email.trim().toLowerCase();
  const same = rows.filter((row) => row.email.trim().toLowerCase() === asWritten);
  return same.length === 1 ? same[0] : undefined;
}

/** Whether any account has or had this address: a user who deletes theirs does not get another gift. */
export async function isEmailKnown(database: Database, email: string): Promise<boolean> {
  return (await database.users.findOne({ attributes: ['id'], where: hasEmail(email), raw: true })) !== null;
}

/** The index contains accounts that have an address: the second condition is what it is found by. */
const hasEmail = (email: string) => ({ email_key: { [Op.eq]: emailKey(email), [Op.ne]: '' } });

/** Whether another account, a deleted one included, has this address. Callers wait for each other: two must not both find it free. */
export async function isEmailTaken(
  database: Database,
  email: string,
  transaction: Transaction,
  exceptUserId = 0,
): Promise<boolean> {
  await lockName(database, `email:${emailKey(email)}`, transaction);
  const where = { ...hasEmail(email), id: { [Op.ne]: exceptUserId } };
  return (await database.users.findOne({ attributes: ['id'], where, raw: true, transaction })) !== null;
}
