import { literal, Op, type Transaction } from 'sequelize';
import type { Database } from '../../database/connect.ts';
import type { UserRow } from '../../database/models/user.ts';
import { AppError } from '../../errors/app-error.ts';
import type { Actor } from '../../schemas/actor.ts';
import { emailSchema } from '../../schemas/email.ts';
import { displayNameSchema, usernameKey, usernameSchema, userStatus } from '../../schemas/user.ts';
import { coded, issueAt } from '../../text/coded.ts';
import { asTaken } from '../account/account.ts';
import { refuseLookAlike } from '../account/look-alike.ts';
import { type AuditService, changedFields } from '../audit.ts';

export interface UserSave {
  actor: Actor;
  /**
   * As it was read. A row whose role changed since is not written: who may write it was decided by the former role. Neither is one whose
   * sessions were ended since: the former password, which may have been shown before this, proves nothing any more.
   */
  row: UserRow;
  fields: Partial<UserRow>;
  /** `user.update` and its like, for the audit trail. */
  action: string;
  /** Hash of the session that goes on when all others end. */
  keepSession?: string | undefined;
  /** The call itself came with the access token: it goes on, as a session that asks does. */
  keepAccessToken?: boolean;
  /** Stored together with the change, or not at all. */
  alongside?(transaction: Transaction): Promise<void>;
  /** Of a change of several users; one of its own when left out. */
  transaction?: Transaction;
}

export type UserStore = ReturnType<typeof createUserStore>;

/** How every service reads and writes one user: changed columns only, with the sessions that may not outlive the change. */
export function createUserStore({ database, audit }: { database: Database; audit: Pick<AuditService, 'record'> }) {
  async function find(id: number, shownName: string | number = id): Promise<UserRow> {
    const row = await database.users.findOne({ where: { id, deleted_at: null }, raw: true });
    if (!row) throw userNotFound(shownName);
    return row;
  }

  async function save({ actor, row, fields: wanted, action, alongside, ...kept }: UserSave): Promise<void> {
    const { transaction: outer } = kept;
    const { keepSession, keepAccessToken = false } = kept;
    // Changing the password shuts all others out, also an intruder who made an access token.
    // Whatever the row says: hashing takes a while, and a token may have been made meanwhile.
    const endsToken = wanted.password !== undefined && !keepAccessToken;
    const fields = endsToken ? { ...wanted, access_token_hash: null } : wanted;
    const { before, after } = changedFields(row, fields);
    if (Object.keys(after).length === 0 && !alongside) return;
    const endsSessions =
      'password' in after ||
      fields.status === userStatus.disabled ||
      'deleted_at' in after ||
      (fields.role ?? row.role) < row.role;
    const within: Database['transaction'] = outer ? (work) => work(outer) : database.transaction;
    try {
      await within(async (transaction) => {
        const { username: name } = fields;
        if (name !== undefined) await refuseLookAlike(database, { name, ownId: row.id }, transaction);
        await alongside?.(transaction);
        if (Object.keys(after).length === 0) return;
        const version = endsSessions ? { session_version: literal('session_version + 1') as unknown as number } : {};
        const { id, role, session_version } = row;
        const where = { id, role, session_version, deleted_at: null };
        const [count] = await database.users.update({ ...fields, ...version }, { where, transaction });
        if (count === 0) throw new AppError('user.changed');
        if (endsSessions) await endSessions(row.id, keepSession, transaction);
        const event = { action, id: row.id, before: withoutHashes(before), after: withoutHashes(after) };
        await audit.record(actor, event, transaction);
      });
    } catch (error) {
      throw asTaken(error, fields.username ?? row.username);
    }
  }

  async function endSessions(id: number, kept: string | undefined, transaction: Transaction): Promise<void> {
    const others = { user_id: id, id_hash: { [Op.ne]: kept ?? '' } };
    await database.sessions.destroy({ where: others, transaction });
    if (kept === undefined) return;
    const user = await database.users.findByPk(id, { attributes: ['session_version'], raw: true, transaction });
    if (user)
      await database.sessions.update(
        { session_version: user.session_version },
        { where: { id_hash: kept }, transaction },
      );
  }

  return { find, save };
}

export const userNotFound = (id: number | string) =>
  new AppError('object.notFound', { what: coded('noun.user'), id, noun: 'user' });

/** An admin vouches for a new address: who may set a password may also say where the mail that resets it goes. */
export function emailColumn(row: UserRow, wanted: string | null | undefined): Partial<UserRow> {
  if (wanted === undefined || wanted === row.email) return {};
  if (wanted === null) return row.email === '' ? {} : { email: '' };
  const parsed = emailSchema.safeParse(wanted);
  if (!parsed.success) throw new AppError('input.invalid', { reason: coded('input.email') });
  return parsed.data === row.email ? {} : { email: parsed.data };
}

/** The columns of a wanted name; what is sent back unchanged is not held to the rules for new names. */
export function nameColumns(row: UserRow, wanted: string | undefined): Partial<UserRow> {
  if (wanted === undefined || wanted === row.username) return {};
  const username = checkedName('username', usernameSchema, wanted);
  return { username, username_key: usernameKey(username) };
}

/** As `nameColumns`, for the name that is shown. */
export function displayNameColumn(row: UserRow, wanted: string | undefined): Partial<UserRow> {
  if (wanted === undefined || wanted === row.display_name) return {};
  return { display_name: checkedName('display_name', displayNameSchema, wanted) };
}

function checkedName(param: string, schema: typeof usernameSchema, wanted: string): string {
  const checked = schema.safeParse(wanted);
  if (checked.success) return checked.data;
  const reason = issueAt(param, checked.error.issues[0]?.message ?? '');
  throw new AppError('input.invalid', { reason }, { param });
}

/** Neither hash tells the reader of the audit log anything. */
function withoutHashes({ password, access_token_hash, ...values }: Record<string, unknown>) {
  return {
    ...values,
    ...(password !== undefined && { password: '***' }),
    ...(access_token_hash !== undefined && { access_token: access_token_hash !== null }),
  };
}
