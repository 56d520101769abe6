import { type Transaction, UniqueConstraintError } from 'sequelize';
import { writeStartEntries } from '../../billing/start-entry.ts';
import type { Database } from '../../database/connect.ts';
import type { UserRow } from '../../database/models/user.ts';
import { AppError } from '../../errors/app-error.ts';
import { type Clock, nowSeconds } from '../../lib/clock.ts';
import { randomAlphanumerics } from '../../lib/random-key.ts';
import { type Actor, role } from '../../schemas/actor.ts';
import { shortDisplayName, usernameKey, userStatus } from '../../schemas/user.ts';
import { coded } from '../../text/coded.ts';
import { codedText } from '../../text/text.ts';
import type { AuditService } from '../audit.ts';
import type { LogNote, LogService } from '../log/log.ts';
import type { OptionService } from '../option/option.ts';
import { isEmailTaken } from './email.ts';
import { refuseLookAlike } from './look-alike.ts';

export type OutsideIds = Pick<UserRow, 'github_id' | 'wechat_id' | 'telegram_id' | 'linux_do_id' | 'oidc_id'>;

export interface AccountOpening {
  /** Checked by `usernameSchema`. With `namePrefix` beside it, a taken name gives way to a made one. */
  username?: string;
  /** For generated names: `github` for `github_7`, where 7 is the next id or the first number after it that is free. */
  namePrefix?: string;
  /** Cut to the length a display name may have. */
  display_name: string;
  /** A hash by `hashNewPassword`; without one there is no sign-in with a password. */
  password?: string;
  /** Checked by the caller. One that another account has is refused, or left out where `outside` says who it is. */
  email?: string;
  outside?: Partial<OutsideIds>;
  /** The code of an invitation; an unknown one is ignored. */
  inviterCode?: string;
  /** Stored together with the account, or not at all. */
  alongside?(transaction: Transaction, user: UserRow): Promise<void>;
}

export interface AccountServiceDependencies {
  database: Database;
  options: Pick<OptionService, 'get'>;
  logs: Pick<LogService, 'record'>;
  audit: Pick<AuditService, 'record'>;
  now?: Clock;
}

export type AccountService = ReturnType<typeof createAccountService>;

type NewRow = Pick<UserRow, 'username' | 'password' | 'display_name'> & Partial<UserRow>;
type AddRow = (values: NewRow) => Promise<UserRow>;

/** More names than may be taken at one moment. */
const maxNames = 100;

const takenCodes: ReadonlySet<string> = new Set(['object.nameTaken', 'account.lookAlike']);

/** The one place where accounts are opened, with everything that comes with a new account: all of it or nothing. */
export function createAccountService(dependencies: AccountServiceDependencies) {
  const { database, options, logs, audit, now = nowSeconds } = dependencies;

  /**
   * Row, gifts, the inviter's reward and their log rows are one transaction: a process that dies leaves nothing half done.
   * Throws `account.registerOff`, `object.nameTaken`, `email.taken` and `account.outsideTaken`.
   */
  async function open(actor: Actor, opening: AccountOpening): Promise<UserRow> {
    if (actor.role < role.admin && !options.get('RegisterEnabled')) throw new AppError('account.registerOff');
    return withFreeName(opening, (username) =>
      insert(async (transaction, addRow) => {
        const inviter = await findInviter(opening.inviterCode, transaction);
        const gifts = giftsFor(inviter !== undefined);
        const user = await addRow({
          username,
          password: opening.password ?? '',
          ...opening.outside,
          display_name: shortDisplayName(opening.display_name) || username,
          email: await freeEmail(opening, transaction),
          inviter_id: inviter?.id ?? 0,
          quota: gifts.reduce((sum, { amount }) => sum + amount, 0),
        });
        await give(actor, user, gifts, transaction);
        if (inviter) await reward(inviter, user, transaction);
        const action = actor.role < role.admin ? 'user.register' : 'user.create';
        const after = { username, ...(inviter && { inviter_id: inviter.id }) };
        await audit.record(actor, { action, id: user.id, after }, transaction);
        await opening.alongside?.(transaction, user);
        return user;
      }),
    );
  }

  /** The row alone; names and invitation codes are unique over all accounts, deleted ones too. */
  async function insert(work: (transaction: Transaction, addRow: AddRow) => Promise<UserRow>): Promise<UserRow> {
    for (let length = 4; ; length++) {
      let name = '';
      try {
        return await database.transaction((transaction) =>
          work(transaction, async (values) => {
            name = values.username;
            await refuseLookAlike(database, { name, ownId: 0 }, transaction);
            const made = {
              username_key: usernameKey(name),
              aff_code: randomAlphanumerics(length),
              created_time: now(),
            };
            const { id } = await database.users.create({ ...values, ...made }, { transaction });
            // Read again: SQLite does not return the columns that got their default.
            return (await database.users.findOne({
              where: { id },
              raw: true,
              transaction,
              rejectOnEmpty: true,
            })) as UserRow;
          }),
        );
      } catch (error) {
        // Four characters run out one day: a taken code is tried again one longer.
        if (!isTaken(error, 'aff_code')) throw asTaken(error, name);
      }
    }
  }

  async function withFreeName<T>(
    { username, namePrefix }: AccountOpening,
    work: (name: string) => Promise<T>,
  ): Promise<T> {
    for (let tried = 0; ; tried++) {
      const name = tried === 0 && username ? username.trim() : `${namePrefix}_${(await highestId()) + 1 + tried}`;
      try {
        return await work(name);
      } catch (error) {
        const isNameTaken = error instanceof AppError && takenCodes.has(error.code);
        if (!isNameTaken || !namePrefix || tried === maxNames) throw error;
      }
    }
  }

  async function highestId(): Promise<number> {
    return (await database.users.findOne({ attributes: ['id'], order: [['id', 'DESC']], raw: true }))?.id ?? 0;
  }

  /** A banned or deleted inviter earns nothing. */
  async function findInviter(code: string | undefined, transaction: Transaction): Promise<UserRow | undefined> {
    if (!code || !/^[0-9A-Za-z]{1,32}$/.test(code)) return undefined;
    const where = { aff_code: code, status: userStatus.enabled, deleted_at: null };
    return (await database.users.findOne({ where, raw: true, transaction })) ?? undefined;
  }

  async function freeEmail({ email = '', outside }: AccountOpening, transaction: Transaction): Promise<string> {
    if (email === '' || !(await isEmailTaken(database, email, transaction))) return email;
    // A user who signs in from outside is known by the id there; the address is only a convenience.
    if (outside) return '';
    throw new AppError('email.taken');
  }

  function giftsFor(isInvited: boolean): Gift[] {
    const gifts = [
      { name: 'gift', amount: options.get('QuotaForNewUser'), content: codedText('notice', 'log.gift') },
      {
        name: 'invited',
        amount: isInvited ? options.get('QuotaForInvitee') : 0,
        content: codedText('notice', 'log.invited'),
      },
    ];
    return gifts.filter(({ amount }) => amount > 0);
  }

  async function give(actor: Actor, user: UserRow, gifts: Gift[], transaction: Transaction): Promise<void> {
    const entryOf = ({ name, amount }: Gift) => ({
      userId: user.id,
      kind: 'gift',
      ref: `user:${user.id}:${name}`,
      amount,
      actorId: actor.id,
    });
    await writeStartEntries(database, transaction, gifts.map(entryOf));
    for (const { content, amount } of gifts) await note(user, content, amount, transaction);
  }

  /** To the inviter's pending earnings; the inviter moves them to the balance. */
  async function reward(inviter: UserRow, { id }: UserRow, transaction: Transaction): Promise<void> {
    const amount = options.get('QuotaForInviter');
    const where = { id: inviter.id };
    await database.users.increment({ aff_count: 1, aff_quota: amount, aff_history: amount }, { where, transaction });
    if (amount > 0) await note(inviter, codedText('notice', 'log.reward', { id }), amount, transaction);
  }

  async function note(user: UserRow, content: string, quota: number, transaction: Transaction): Promise<void> {
    const row: LogNote = { type: 'system', user_id: user.id, username: user.username, content, quota };
    await logs.record(row, transaction);
  }

  return { open, insert };
}

interface Gift {
  name: string;
  amount: number;
  content: string;
}

function isTaken(error: unknown, column: string): boolean {
  // SQLite names the column, PostgreSQL the index or the column.
  return error instanceof UniqueConstraintError && error.errors.some(({ path }) => path?.includes(column));
}

const outsideColumns = ['github_id', 'wechat_id', 'telegram_id', 'linux_do_id', 'oidc_id'];

/** What a unique column of `users` says; without the database's error as cause, because that carries the whole row. */
export function asTaken(error: unknown, name: string): unknown {
  if (isTaken(error, 'username_key')) return new AppError('object.nameTaken', { what: coded('noun.user'), name });
  if (outsideColumns.some((column) => isTaken(error, column))) return new AppError('account.outsideTaken');
  return error;
}
