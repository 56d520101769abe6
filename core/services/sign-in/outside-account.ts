import { col, fn, UniqueConstraintError, where } from 'sequelize';
import type { Database } from '../../database/connect.ts';
import type { UserRow } from '../../database/models/user.ts';
import { AppError } from '../../errors/app-error.ts';
import type { OutsideIdentity } from '../../integrations/sign-in-provider.ts';
import { type Actor, guestActor } from '../../schemas/actor.ts';
import { canonicalEmail } from '../../schemas/email.ts';
import { usernameSchema, userStatus } from '../../schemas/user.ts';
import { coded } from '../../text/coded.ts';
import type { AccountService, OutsideIds } from '../account/account.ts';
import { actorOf } from '../actor.ts';
import type { AuditService } from '../audit.ts';
import type { SessionService } from './session.ts';
import type { SignedIn, SignInOrigin } from './sign-in.ts';

export interface OutsideAccountDependencies {
  database: Database;
  accounts: Pick<AccountService, 'open'>;
  sessions: Pick<SessionService, 'enter'>;
  audit: Pick<AuditService, 'record'>;
}

/** One way to be known from outside. */
export interface OutsideKind {
  column: keyof OutsideIds;
  /** Of generated names: `github_7`. */
  namePrefix: string;
}

export interface OutsideAccounts {
  /** The account of this identity; undefined when it is new. */
  find(kind: OutsideKind, identity: OutsideIdentity): Promise<UserRow | undefined>;
  /** Opens a session for the identity's account, which is created when it does not exist. */
  signIn(kind: OutsideKind, identity: OutsideIdentity, inviterCode: string, caller: SignInOrigin): Promise<SignedIn>;
  /** Opens a session; throws `outside.closed` for a disabled or deleted account. */
  enter(user: UserRow, caller: SignInOrigin): Promise<SignedIn>;
  /** The user can sign in this way from now on; throws `account.outsideTaken`. */
  bind(actor: Actor, kind: OutsideKind, identity: OutsideIdentity): Promise<void>;
}

export function createOutsideAccounts(dependencies: OutsideAccountDependencies): OutsideAccounts {
  const { database, accounts, sessions, audit } = dependencies;

  async function find(kind: OutsideKind, { id, formerId = '' }: OutsideIdentity): Promise<UserRow | undefined> {
    const byId = await findBy(kind, id);
    // A name of digits only cannot be told from an id: its owner must not get into another user's account.
    if (byId || formerId === '' || /^\d+$/.test(formerId)) return byId;
    const byName = (await findBy(kind, formerId)) ?? (await findByOtherCapitals(kind, formerId));
    return byName && renew(kind, byName, id);
  }

  async function findBy({ column }: OutsideKind, id: string): Promise<UserRow | undefined> {
    return (await database.users.findOne({ where: { [column]: id }, raw: true })) ?? undefined;
  }

  /**
   * GitHub knows a name by its letters, whatever their capitals, and gives it to one user. Two rows that differ in nothing else
   * are of two holders of the name, and nothing says which one this is.
   */
  async function findByOtherCapitals({ column }: OutsideKind, name: string): Promise<UserRow | undefined> {
    // Of other letters, what a database takes for the small one is not what GitHub does.
    if (!asciiName.test(name)) return undefined;
    const bySmall = where(fn('lower', col(column)), name.toLowerCase());
    const found = await database.users.findAll({ where: bySmall, raw: true });
    const same = found.filter((row) => asciiName.test(row[column] ?? ''));
    return same.length === 1 ? same[0] : undefined;
  }

  /** From the name, which may change hands, to the id. */
  async function renew({ column }: OutsideKind, row: UserRow, id: string): Promise<UserRow> {
    await database.transaction(async (transaction) => {
      const former = { id: row.id, [column]: row[column] };
      await database.users.update({ [column]: id }, { where: former, transaction });
      const event = { before: { [column]: row[column] }, after: { [column]: id } };
      await audit.record(actorOf(row, ''), { action: 'user.renewOutsideId', id: row.id, ...event }, transaction);
    });
    return { ...row, [column]: id };
  }

  async function signIn(
    kind: OutsideKind,
    identity: OutsideIdentity,
    inviterCode: string,
    caller: SignInOrigin,
  ): Promise<SignedIn> {
    const user = (await find(kind, identity)) ?? (await create(kind, identity, inviterCode, caller));
    return enter(user, caller);
  }

  async function create(
    kind: OutsideKind,
    identity: OutsideIdentity,
    inviterCode: string,
    { address }: SignInOrigin,
  ): Promise<UserRow> {
    const { id, displayName, username, email } = identity;
    const mail = email && canonicalEmail(email);
    try {
      return await accounts.open(
        { ...guestActor, address },
        {
          display_name: displayName,
          namePrefix: kind.namePrefix,
          outside: { [kind.column]: id },
          inviterCode,
          ...(usernameSchema.safeParse(username).success && { username: usernameSchema.parse(username) }),
          ...(mail && { email: mail }),
        },
      );
    } catch (error) {
      // The same person in two windows: the other one was first.
      const user = isTaken(error) && (await find(kind, identity));
      if (user) return user;
      throw error;
    }
  }

  async function enter(user: UserRow, caller: SignInOrigin): Promise<SignedIn> {
    if (user.deleted_at === null && user.status === userStatus.enabled) return sessions.enter(user, caller);
    const failed = { action: 'session.signInFailed', id: user.id };
    await audit.record({ ...guestActor, name: user.username, address: caller.address }, failed);
    throw new AppError('outside.closed');
  }

  async function bind(actor: Actor, kind: OutsideKind, identity: OutsideIdentity): Promise<void> {
    const holder = await find(kind, identity);
    if (holder && holder.id !== actor.id) throw new AppError('account.outsideTaken');
    const { column } = kind;
    try {
      await database.transaction(async (transaction) => {
        const row = await database.users.findOne({ where: { id: actor.id, deleted_at: null }, raw: true, transaction });
        if (!row) throw new AppError('object.notFound', { what: coded('noun.user'), id: actor.id, noun: 'user' });
        await database.users.update({ [column]: identity.id }, { where: { id: actor.id }, transaction });
        const event = { before: { [column]: row[column] }, after: { [column]: identity.id } };
        await audit.record(actor, { action: 'user.bindOutside', id: actor.id, ...event }, transaction);
      });
    } catch (error) {
      // Without the database's error as cause: it carries the whole row.
      throw error instanceof UniqueConstraintError ? new AppError('account.outsideTaken') : error;
    }
  }

  return { find, signIn, enter, bind };
}

const asciiName = /^[\w-]+$/;

const isTaken = (error: unknown) => error instanceof AppError && error.code === 'account.outsideTaken';
