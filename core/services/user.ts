import { randomUUID } from 'node:crypto';
import { literal } from 'sequelize';
import type { Ledger } from '../billing/ledger.ts';
import type { Database } from '../database/connect.ts';
import type { UserRow } from '../database/models/user.ts';
import { AppError } from '../errors/app-error.ts';
import { type Clock, nowSeconds } from '../lib/clock.ts';
import { containsPattern } from '../lib/like-pattern.ts';
import { randomAccessToken } from '../lib/random-key.ts';
import type { SecretBox } from '../lib/secret-box.ts';
import { type Actor, role } from '../schemas/actor.ts';
import type { Page } from '../schemas/paging.ts';
import {
  type User,
  type UserAdjustQuota,
  type UserCreate,
  type UserList,
  type UserManage,
  type UserUpdate,
  usernameKey,
  usernameSchema,
} from '../schemas/user.ts';
import { type AccountService, asTaken } from './account.ts';
import { requireRole } from './actor.ts';
import { type AuditService, changedFields } from './audit.ts';
import type { GroupService } from './group.ts';
import { listRows } from './list-rows.ts';
import type { LogService } from './log.ts';
import { hashNewPassword } from './password.ts';
import { changesOf, requireRankForRole, requireRankOver } from './user-rank.ts';
import { userView } from './user-view.ts';

export interface UserServiceDependencies {
  database: Database;
  secretBox: SecretBox;
  ledger: Pick<Ledger, 'credit'>;
  accounts: Pick<AccountService, 'open'>;
  groups: GroupService;
  logs: Pick<LogService, 'record'>;
  audit: Pick<AuditService, 'record'>;
  now?: Clock;
}

export type UserService = ReturnType<typeof createUserService>;

export function createUserService(dependencies: UserServiceDependencies) {
  const { database, secretBox, ledger, accounts, groups, logs, audit, now = nowSeconds } = dependencies;

  async function list(actor: Actor, { keyword, group, page, page_size }: UserList): Promise<Page<User>> {
    requireRole(actor, role.admin);
    const conditions: string[] = [];
    if (keyword) {
      const columns = ['username', 'email', 'display_name'].map((name) => `lower(${name}) LIKE :pattern ESCAPE '!'`);
      conditions.push(`(${columns.join(' OR ')} OR id = :id)`);
    }
    if (group) conditions.push('"group" = :group');
    const replacements = { pattern: containsPattern(keyword), id: idFrom(keyword), group };
    const query = { table: 'users', conditions, replacements, order: 'id DESC' };
    const { rows, total } = await listRows<UserRow>(database, query, { page, page_size });
    return { items: rows.map(userView), page, page_size, total };
  }

  async function get(actor: Actor, id: number): Promise<User> {
    const row = await findRow(id);
    if (row.id !== actor.id) {
      requireRole(actor, role.admin);
      requireRankOver(actor, row);
    }
    return userView(row);
  }

  /** By id or by name, as people name users on the command line. */
  async function find(actor: Actor, name: string): Promise<User> {
    requireRole(actor, role.admin);
    const byName = await database.users.findOne({
      where: { username_key: usernameKey(name), deleted_at: null },
      raw: true,
    });
    const row = byName ?? (await findRow(idFrom(name), name));
    requireRankOver(actor, row);
    return userView(row);
  }

  async function create(actor: Actor, input: UserCreate): Promise<User> {
    requireRole(actor, role.admin);
    requireRankForRole(actor, input.role);
    const { username, display_name } = input;
    const password = await hashNewPassword(input.password, username);
    return userView(await accounts.open(actor, { username, display_name, password }));
  }

  async function update(actor: Actor, input: UserUpdate): Promise<User> {
    requireRole(actor, role.admin);
    const row = await findRow(input.id);
    requireRankOver(actor, row);
    if (actor.role < role.root) requireRankForRole(actor, input.role);
    const fields = fieldsOf(row, input);
    const password = input.password && (await hashNewPassword(input.password, fields.username ?? row.username));
    await save(actor, row, { ...fields, ...(password && { password }) }, 'user.update');
    if (input.quota !== undefined) await bookDifference(actor, row, input.quota - (input.quota_loaded ?? row.quota));
    return userView(await findRow(row.id));
  }

  function fieldsOf(row: UserRow, input: UserUpdate): Partial<UserRow> {
    const fields: Partial<UserRow> = {};
    if (input.username !== undefined && input.username !== row.username) {
      const checked = usernameSchema.safeParse(input.username);
      const reason = `username: ${checked.error?.issues[0]?.message ?? ''}`;
      if (!checked.success) throw new AppError('input.invalid', { reason }, { param: 'username' });
      fields.username = checked.data;
      fields.username_key = usernameKey(checked.data);
    }
    if (input.display_name !== undefined) fields.display_name = input.display_name;
    if (input.group !== undefined && input.group !== row.group) {
      if (!groups.hasRatio(input.group)) throw new AppError('group.unknown', { group: input.group });
      fields.group = input.group;
    }
    return fields;
  }

  /** Changed columns only: a whole row would overwrite what calls in flight just booked. */
  async function save(actor: Actor, row: UserRow, fields: Partial<UserRow>, action: string): Promise<void> {
    const { before, after } = changedFields(row, fields);
    if (Object.keys(after).length === 0) return;
    const endsSessions =
      'password' in after || fields.status === 2 || 'deleted_at' in after || (fields.role ?? row.role) < row.role;
    try {
      await database.transaction(async (transaction) => {
        const version = endsSessions ? { session_version: literal('session_version + 1') as unknown as number } : {};
        const where = { id: row.id, deleted_at: null };
        const [count] = await database.users.update({ ...fields, ...version }, { where, transaction });
        if (count === 0) throw notFound(row.id);
        if (endsSessions) await database.sessions.destroy({ where: { user_id: row.id }, transaction });
        const shown = (values: Record<string, unknown>) =>
          'password' in values ? { ...values, password: '***' } : values;
        await audit.record(actor, { action, id: row.id, before: shown(before), after: shown(after) }, transaction);
      });
    } catch (error) {
      throw asTaken(error, fields.username ?? row.username);
    }
  }

  async function bookDifference(actor: Actor, row: UserRow, amount: number, note = ''): Promise<void> {
    if (amount === 0) return;
    if (!Number.isSafeInteger(row.quota + amount)) throw new AppError('user.quotaRange');
    const ref = `user:${row.id}:${randomUUID()}`;
    await ledger.credit({ userId: row.id, kind: 'admin', ref, amount, actorId: actor.id, note });
    await audit.record(actor, { action: 'user.quota', id: row.id, after: { amount, note } });
    const content = `quota changed by ${amount > 0 ? '+' : ''}${amount}${note && `: ${note}`}`;
    await logs.record({ type: 'manage', user_id: row.id, username: row.username, content, quota: amount });
  }

  /** Adds to the balance, or takes from it. */
  async function adjustQuota(actor: Actor, { id, amount, note }: UserAdjustQuota): Promise<User> {
    requireRole(actor, role.admin);
    const row = await findRow(id);
    requireRankOver(actor, row);
    await bookDifference(actor, row, amount, note);
    return userView(await findRow(id));
  }

  /** For oneself, or for users of a lower role. Every session of that user ends. */
  async function setPassword(actor: Actor, id: number, password: string): Promise<void> {
    const row = await findRow(id);
    if (row.id !== actor.id) {
      requireRole(actor, role.admin);
      requireRankOver(actor, row);
    }
    await save(actor, row, { password: await hashNewPassword(password, row.username) }, 'user.setPassword');
  }

  async function manage(actor: Actor, { id, action }: UserManage): Promise<Pick<User, 'id' | 'role' | 'status'>> {
    requireRole(actor, role.admin);
    const row = await findRow(id);
    const changes = changesOf(actor, row, action, now());
    await save(actor, row, changes, `user.${action}`);
    return { id, role: changes.role ?? row.role, status: changes.status ?? row.status };
  }

  /** A new system access token; the former one stops working. Shown this once, stored as a hash. */
  async function createAccessToken(actor: Actor): Promise<string> {
    const row = await findRow(actor.id);
    const token = randomAccessToken();
    await database.transaction(async (transaction) => {
      const access_token_hash = secretBox.lookupHash(token);
      await database.users.update({ access_token_hash }, { where: { id: row.id }, transaction });
      await audit.record(actor, { action: 'user.accessToken', id: row.id }, transaction);
    });
    return token;
  }

  async function findRow(id: number, shownName: string | number = id): Promise<UserRow> {
    const row = await database.users.findOne({ where: { id, deleted_at: null }, raw: true });
    if (!row) throw notFound(shownName);
    return row;
  }

  return { list, get, find, create, update, adjustQuota, setPassword, manage, createAccessToken };
}

const notFound = (id: number | string) => new AppError('object.notFound', { what: 'user', id, noun: 'user' });

/** 0 when the text is no id: nobody has that one. */
const idFrom = (text: string) => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : 0);
