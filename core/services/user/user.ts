import { randomUUID } from 'node:crypto';
import { Op, type Transaction, type WhereOptions } from 'sequelize';
import { bookEarnedCredit } from '../../billing/earned-credit.ts';
import type { Database } from '../../database/connect.ts';
import type { UserRow } from '../../database/models/user.ts';
import { AppError } from '../../errors/app-error.ts';
import { type Clock, nowSeconds } from '../../lib/clock.ts';
import { textMatches } from '../../lib/text-match.ts';
import { type Actor, role } from '../../schemas/actor.ts';
import type { Page } from '../../schemas/paging.ts';
import {
  type User,
  type UserAdjustQuota,
  type UserBatch,
  type UserCreate,
  type UserCredit,
  type UserList,
  type UserManage,
  type UserUpdate,
  userListStatus,
  usernameKey,
} from '../../schemas/user.ts';
import { codedText } from '../../text/text.ts';
import type { AccountService } from '../account/account.ts';
import { isEmailTaken } from '../account/email.ts';
import { hashNewPassword } from '../account/password.ts';
import { requireRole } from '../actor.ts';
import type { AuditService } from '../audit.ts';
import type { GroupService } from '../group/group.ts';
import { forEachRow, listRows, matches, orderBy, requireAll } from '../list-rows.ts';
import type { LogService } from '../log/log.ts';
import { createMadeOnce } from '../made-once.ts';
import { refuseStale } from '../stale.ts';
import { eraseUser } from './erase.ts';
import { changesOf, requireRankForRole, requireRankOver } from './rank.ts';
import { displayNameColumn, emailColumn, nameColumns, type UserStore, userNotFound } from './store.ts';
import { userView } from './view.ts';

export interface UserServiceDependencies {
  database: Database;
  store: UserStore;
  accounts: Pick<AccountService, 'open'>;
  groups: GroupService;
  logs: Pick<LogService, 'record'>;
  audit: Pick<AuditService, 'record'>;
  now?: Clock;
}

type QuotaChange = Pick<UserCredit, 'amount' | 'key'> & { note?: string };

export type UserService = ReturnType<typeof createUserService>;

/** What admins do with the accounts of others, and the command line with all of them. */
export function createUserService(dependencies: UserServiceDependencies) {
  const { database, store, accounts, groups, logs, audit, now = nowSeconds } = dependencies;
  const match = textMatches[database.engine];
  const once = createMadeOnce({ database, now });

  /** Deleted accounts included; of an erased one there is nothing left to show. */
  async function list(
    actor: Actor,
    { keyword, group, role: wanted, status, sort = '-id', page, page_size }: UserList,
  ): Promise<Page<User>> {
    requireRole(actor, role.admin);
    const conditions: WhereOptions<UserRow>[] = [{ username: { [Op.ne]: '' } }];
    // Of their like and of root admins see no account at all, as `get` shows none; the own one is theirs.
    if (actor.role < role.root) conditions.push({ [Op.or]: [{ role: { [Op.lt]: actor.role } }, { id: actor.id }] });
    if (keyword) {
      const pattern = match.containing(keyword);
      const columns = ['username', 'email', 'display_name'].map((name) => matches(database, name, pattern));
      conditions.push({ [Op.or]: [...columns, { id: idFrom(keyword) }] });
    }
    if (group) conditions.push({ group });
    if (wanted) conditions.push({ role: wanted });
    if (status === userListStatus.deleted) conditions.push({ deleted_at: { [Op.ne]: null } });
    else if (status) conditions.push({ deleted_at: null, status });
    const query = { where: { [Op.and]: conditions }, order: orderBy(sort) };
    const { rows, total } = await listRows(database.users, query, { page, page_size });
    return { items: rows.map(userView), page, page_size, total };
  }

  async function get(actor: Actor, id: number): Promise<User> {
    if (id !== actor.id) requireRole(actor, role.admin);
    return userView(id === actor.id ? await store.find(id) : await findLower(actor, id));
  }

  /** A row this actor may act on. */
  async function findLower(actor: Actor, id: number): Promise<UserRow> {
    const row = await store.find(id);
    requireRankOver(actor, row);
    return row;
  }

  /** By id or by name, as people name users on the command line. */
  async function find(actor: Actor, name: string): Promise<User> {
    requireRole(actor, role.admin);
    const byName = await database.users.findOne({
      where: { username_key: usernameKey(name), deleted_at: null },
      raw: true,
    });
    const row = byName ?? (await store.find(idFrom(name), name));
    requireRankOver(actor, row);
    return userView(row);
  }

  async function create(actor: Actor, input: UserCreate): Promise<User> {
    requireRole(actor, role.admin);
    requireRankForRole(actor, input.role);
    const { username, display_name, request_key: requestKey } = input;
    const password = await hashNewPassword(input.password, username);
    const request = { what: `user ${actor.id}`, requestKey, values: { username, display_name } };
    const [id = 0] = await once(request, async (note) => {
      const alongside = async (transaction: Transaction, user: UserRow) => void (await note([user.id], transaction));
      return [(await accounts.open(actor, { username, display_name, password, alongside })).id];
    });
    return userView(await store.find(id));
  }

  async function update(actor: Actor, input: UserUpdate): Promise<User> {
    requireRole(actor, role.admin);
    const row = await findLower(actor, input.id);
    if (actor.role < role.root) requireRankForRole(actor, input.role);
    const fields = fieldsOf(row, input);
    const password = input.password && (await hashNewPassword(input.password, fields.username ?? row.username));
    const { quota, quota_loaded, quota_key, loaded } = input;
    await store.save({
      actor,
      row,
      fields: { ...fields, ...(password && { password }) },
      action: 'user.update',
      ...((quota !== undefined || fields.email || loaded) && {
        alongside: async (transaction) => {
          if (loaded) refuseStale({ loaded, wanted: input, stored: userView(await lockedRow(row.id, transaction)) });
          if (fields.email) await requireFreeEmail(fields.email, row.id, transaction);
          if (quota === undefined) return;
          // Read here: hashing takes a quarter of a second, and calls are booked meanwhile.
          const before = quota_loaded ?? (await lockedRow(row.id, transaction)).quota;
          const key = quota_loaded === undefined ? undefined : quota_key;
          await bookOnce(actor, row, { amount: quota - before, key }, transaction);
        },
      }),
    });
    return userView(await store.find(row.id));
  }

  function fieldsOf(row: UserRow, input: UserUpdate): Partial<UserRow> {
    const fields = {
      ...nameColumns(row, input.username),
      ...displayNameColumn(row, input.display_name),
      ...emailColumn(row, input.email),
    };
    if (input.group !== undefined && input.group !== row.group) {
      if (!groups.hasRatio(input.group)) throw new AppError('group.unknown', { group: input.group });
      fields.group = input.group;
    }
    return fields;
  }

  async function requireFreeEmail(email: string, id: number, transaction: Transaction): Promise<void> {
    if (await isEmailTaken(database, email, transaction, id)) throw new AppError('email.taken');
  }

  /** The row as it stays until the transaction ends. */
  async function lockedRow(id: number, transaction: Transaction): Promise<UserRow> {
    const row = await database.users.findByPk(id, { raw: true, transaction, lock: true });
    if (!row) throw userNotFound(id);
    return row;
  }

  /** Balance, entry, log row and audit row, all or none. */
  async function bookChange(
    actor: Actor,
    { id, username, quota }: UserRow,
    { amount, note = '', key = randomUUID() }: QuotaChange,
    transaction: Transaction,
  ): Promise<void> {
    if (amount === 0) return;
    if (![amount, quota + amount].every(Number.isSafeInteger)) throw new AppError('user.quotaRange');
    await audit.record(actor, { action: 'user.quota', id, after: { amount, note } }, transaction);
    const change = `${amount > 0 ? '+' : ''}${amount}`;
    const content = note
      ? codedText('notice', 'log.adjustedNote', { amount: change, note })
      : codedText('notice', 'log.adjusted', { amount: change });
    await logs.record({ type: 'manage', user_id: id, username, content, quota: amount }, transaction);
    const ref = creditRef(id, key);
    await bookEarnedCredit(database, transaction, { userId: id, kind: 'admin', ref, amount, actorId: actor.id, note });
  }

  /** Adds to the balance, or takes from it; a change with the same key is booked once. Throws `user.creditDiffers`. */
  async function adjustQuota(
    actor: Actor,
    { id, ...change }: UserAdjustQuota & Pick<UserCredit, 'key'>,
  ): Promise<User> {
    requireRole(actor, role.admin);
    const row = await findLower(actor, id);
    await database.transaction((transaction) => bookOnce(actor, row, change, transaction));
    return userView(await store.find(id));
  }

  async function bookOnce(actor: Actor, row: UserRow, change: QuotaChange, transaction: Transaction): Promise<void> {
    const booked = change.key === undefined ? undefined : await bookedAmount(row.id, change.key, transaction);
    // A corrected amount after a lost response: it was not booked, and the form must not say that it was.
    if (booked !== undefined && booked !== change.amount) throw new AppError('user.creditDiffers');
    if (booked === undefined) await bookChange(actor, row, change, transaction);
  }

  /** With the user's row locked, so that of two requests with one key the second sees what the first has booked. */
  async function bookedAmount(id: number, key: string, transaction: Transaction): Promise<number | undefined> {
    await lockedRow(id, transaction);
    const replacements = { ref: creditRef(id, key) };
    const sql = "SELECT amount FROM quota_entries WHERE kind = 'admin' AND ref = :ref";
    const [entry] = await database.select<{ amount: number }>(sql, replacements, transaction);
    return entry?.amount;
  }

  /** For oneself, or for users of a lower role. Every session of that user ends, and the access token. */
  async function setPassword(actor: Actor, id: number, password: string): Promise<void> {
    if (id !== actor.id) requireRole(actor, role.admin);
    const row = id === actor.id ? await store.find(id) : await findLower(actor, id);
    const fields = { password: await hashNewPassword(password, row.username) };
    await store.save({ actor, row, fields, action: 'user.setPassword' });
  }

  /** The user as the action left it. */
  async function manage(actor: Actor, { id, action }: UserManage): Promise<User> {
    requireRole(actor, role.admin);
    const row = await store.find(id);
    const fields = changesOf(actor, row, action, now());
    await store.save({ actor, row, fields, action: `user.${action}` });
    return userView({ ...row, ...fields });
  }

  /** All of them or none: the error names the first that this actor may not change so. Returns their number. */
  async function manageMany(actor: Actor, { ids, action }: UserBatch): Promise<number> {
    requireRole(actor, role.admin);
    return database.transaction(async (transaction) => {
      const order: [string, string][] = [['id', 'ASC']];
      const where = { id: ids, deleted_at: null };
      const rows = await database.users.findAll({
        where,
        order,
        raw: true,
        transaction,
        lock: transaction.LOCK.UPDATE,
      });
      requireAll(ids, rows, userNotFound);
      await forEachRow(
        rows,
        ({ username }) => username,
        async (row) => {
          const fields = changesOf(actor, row, action, now());
          await store.save({ actor, row, fields, action: `user.${action}`, transaction });
        },
      );
      return rows.length;
    });
  }

  /** For good, also when the account was deleted before: what says who it was is gone, what was paid and used stays in the books. */
  async function erase(actor: Actor, id: number): Promise<void> {
    requireRole(actor, role.admin);
    const row = await database.users.findByPk(id, { raw: true });
    if (!row || row.username === '') throw userNotFound(id);
    if (row.role >= actor.role) throw new AppError('user.wrongRank');
    await eraseUser({ database, audit, now }, actor, row);
  }

  return { list, get, find, create, update, adjustQuota, setPassword, manage, manageMany, erase };
}

const creditRef = (userId: number, key: string) => `user:${userId}:${key}`;

/** 0, an impossible id, when the text is not an id. */
const idFrom = (text: string) => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : 0);
