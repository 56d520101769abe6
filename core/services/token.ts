import { randomUUID } from 'node:crypto';
import { type Transaction, UniqueConstraintError } from 'sequelize';
import type { Ledger } from '../billing/ledger.ts';
import type { Database } from '../database/connect.ts';
import type { TokenRow } from '../database/models/token.ts';
import { AppError } from '../errors/app-error.ts';
import { type Clock, nowSeconds } from '../lib/clock.ts';
import { definedFields } from '../lib/defined-fields.ts';
import { containsPattern } from '../lib/like-pattern.ts';
import { maskKey } from '../lib/mask-key.ts';
import { randomTokenKey } from '../lib/random-key.ts';
import type { SecretBox } from '../lib/secret-box.ts';
import type { Actor } from '../schemas/actor.ts';
import type { Page } from '../schemas/paging.ts';
import {
  type Token,
  type TokenCreate,
  type TokenList,
  type TokenStatusChange,
  type TokenUpdate,
  tokenStatus,
} from '../schemas/token.ts';
import { isSystem } from './actor.ts';
import { type AuditService, changedFields } from './audit.ts';
import type { GroupService } from './group.ts';
import { listRows } from './list-rows.ts';
import { openSecret } from './secret.ts';
import { statusOf, tokenView } from './token-view.ts';

export interface TokenServiceDependencies {
  database: Database;
  secretBox: SecretBox;
  ledger: Pick<Ledger, 'credit'>;
  groups: GroupService;
  audit: Pick<AuditService, 'record'>;
  now?: Clock;
}

export interface TokenOwner {
  /** The system actor names whose tokens it means (absent: everybody's, where a list is asked for); others only ever mean their own. */
  userId?: number;
}

export type TokenService = ReturnType<typeof createTokenService>;

/** Part searches decrypt the owner's keys one by one. */
const mostSearched = 1000;

export function createTokenService(dependencies: TokenServiceDependencies) {
  const { database, secretBox, ledger, groups, audit, now = nowSeconds } = dependencies;

  /** The new token with its whole key. `key` is for the installation only, which may bring one. */
  async function create(
    actor: Actor,
    input: TokenCreate,
    { userId, key }: TokenOwner & { key?: string } = {},
  ): Promise<Token> {
    const owner = await findOwner(ownerId(actor, userId));
    requireUsableGroup(input.group, owner.group);
    const plainKey = key ?? randomTokenKey();
    const { remain_quota, ...fields } = input;
    const id = await insert(
      actor,
      { ...fields, user_id: owner.id, created_time: now(), accessed_time: now() },
      plainKey,
    );
    await grant(actor, { id, user_id: owner.id }, remain_quota, `token:${id}:grant:1`);
    return { ...tokenView(await findRow(actor, id), now()), key: plainKey };
  }

  async function insert(actor: Actor, values: Partial<TokenRow>, key: string): Promise<number> {
    try {
      return await database.transaction(async (transaction) => {
        const row = await database.tokens.create({ ...values, key_hash: secretBox.lookupHash(key) }, { transaction });
        // The place of the secret holds the row's id, which is known only now.
        const key_encrypted = secretBox.encrypt(key, placeOf(row.id));
        await database.tokens.update({ key_encrypted }, { where: { id: row.id }, transaction });
        const after = { name: values.name, user_id: values.user_id };
        await audit.record(actor, { action: 'token.create', id: row.id, after }, transaction);
        return row.id;
      });
    } catch (error) {
      // Without the database's error as cause: it carries the whole row.
      throw error instanceof UniqueConstraintError ? new AppError('token.keyTaken') : error;
    }
  }

  async function grant(
    actor: Actor,
    row: Pick<TokenRow, 'id' | 'user_id'>,
    amount: number,
    ref: string,
  ): Promise<void> {
    if (amount === 0) return;
    await ledger.credit({
      userId: row.user_id,
      tokenId: row.id,
      kind: 'token_grant',
      ref,
      amount,
      actorId: actor.id,
    });
  }

  /** `withKeys`: the owner's page copies keys from its list; everybody else sees them masked. */
  async function list(
    actor: Actor,
    { keyword, token, page, page_size }: TokenList,
    { userId, withKeys = false }: TokenOwner & { withKeys?: boolean } = {},
  ): Promise<Page<Token>> {
    const ids = await idsWithKey(actor, token, userId);
    const conditions = ['deleted_at IS NULL'];
    const owner = isSystem(actor) ? userId : actor.id;
    if (owner !== undefined) conditions.push('user_id = :owner');
    if (keyword) conditions.push("lower(name) LIKE :pattern ESCAPE '!'");
    if (ids) conditions.push('id IN (:ids)');
    const replacements = { owner, pattern: containsPattern(keyword), ids: ids?.length ? ids : [0] };
    const query = { table: 'tokens', conditions, replacements, order: 'id DESC' };
    const { rows, total } = await listRows<TokenRow>(database, query, { page, page_size });
    const items = rows.map((row) => withKey(row, withKeys && row.user_id === actor.id));
    return { items, page, page_size, total };
  }

  /** Rows whose key is, or contains, the text; undefined when nothing is asked for. */
  async function idsWithKey(actor: Actor, text: string, userId: number | undefined): Promise<number[] | undefined> {
    const wanted = text.replace(/^sk-/, '');
    if (wanted === '') return undefined;
    const owner = isSystem(actor) ? userId : actor.id;
    const where = { deleted_at: null, ...(owner !== undefined && { user_id: owner }) };
    const whole = await database.tokens.findAll({
      attributes: ['id'],
      where: { ...where, key_hash: secretBox.lookupHashes(wanted) },
      raw: true,
    });
    if (whole.length > 0 || owner === undefined) return whole.map(({ id }) => id);
    const rows = await database.tokens.findAll({ where, order: [['id', 'DESC']], limit: mostSearched, raw: true });
    return rows.filter((row) => keyOf(row).includes(wanted)).map(({ id }) => id);
  }

  async function get(actor: Actor, id: number, { withKeys = false } = {}): Promise<Token> {
    const row = await findRow(actor, id);
    return withKey(row, withKeys && row.user_id === actor.id);
  }

  /** The whole key, without `sk-`, for its owner or the system; leaves a trace. */
  async function reveal(actor: Actor, id: number): Promise<string> {
    const row = await findRow(actor, id);
    const key = keyOf(row);
    await audit.record(actor, { action: 'token.reveal', id });
    return key;
  }

  async function update(
    actor: Actor,
    { id, remain_quota, remain_quota_loaded, ...fields }: TokenUpdate,
  ): Promise<Token> {
    const row = await findRow(actor, id);
    if (fields.group !== undefined && fields.group !== row.group) {
      requireUsableGroup(fields.group, (await findOwner(row.user_id)).group);
    }
    const difference = grantDifference(row, { remain_quota, remain_quota_loaded, ...fields });
    await save(actor, row, fields, 'token.update');
    if (difference !== 0) {
      await grant(actor, row, difference, `token:${id}:grant:${randomUUID()}`);
      await audit.record(actor, { action: 'token.quota', id, after: { amount: difference } });
    }
    return withKey(await findRow(actor, id), false);
  }

  async function setStatus(actor: Actor, { id, status }: TokenStatusChange): Promise<Token> {
    const row = await findRow(actor, id);
    if (status === tokenStatus.enabled) requireEnableable(row, now());
    await save(actor, row, { status }, status === tokenStatus.enabled ? 'token.enable' : 'token.disable');
    return withKey({ ...row, status }, false);
  }

  async function remove(actor: Actor, id: number): Promise<void> {
    const row = await findRow(actor, id);
    await save(actor, row, { deleted_at: now() }, 'token.remove');
  }

  /** Changed columns only: quota and counters belong to the ledger. */
  async function save(actor: Actor, row: TokenRow, fields: Partial<TokenRow>, action: string): Promise<void> {
    const { before, after } = changedFields(row, definedFields(fields));
    if (Object.keys(after).length === 0) return;
    await database.transaction(async (transaction: Transaction) => {
      const [count] = await database.tokens.update(after, { where: { id: row.id, deleted_at: null }, transaction });
      if (count === 0) throw notFound(row.id);
      await audit.record(actor, { action, id: row.id, before, after }, transaction);
    });
  }

  /** Foreign and missing look the same. */
  async function findRow(actor: Actor, id: number): Promise<TokenRow> {
    const where = { id, deleted_at: null, ...(!isSystem(actor) && { user_id: actor.id }) };
    const row = await database.tokens.findOne({ where, raw: true });
    if (!row) throw notFound(id);
    // SQLite answers 0 and 1 to a plain query.
    return {
      ...row,
      unlimited_quota: Boolean(row.unlimited_quota),
      model_limits_enabled: Boolean(row.model_limits_enabled),
    };
  }

  async function findOwner(id: number): Promise<{ id: number; group: string }> {
    const row = await database.users.findOne({
      attributes: ['id', 'group'],
      where: { id, deleted_at: null },
      raw: true,
    });
    if (!row) throw new AppError('object.notFound', { what: 'user', id, noun: 'user' });
    return row;
  }

  function requireUsableGroup(group: string, ownerGroup: string): void {
    if (group === '' || group === ownerGroup) return;
    if (!groups.hasRatio(group)) throw new AppError('group.unknown', { group });
    if (!groups.usable(group)) throw new AppError('group.notUsable', { group });
  }

  const keyOf = (row: TokenRow) => openSecret(secretBox, row.key_encrypted, placeOf(row.id));

  function withKey(row: TokenRow, isWhole: boolean): Token {
    const key = keyOf(row);
    return { ...tokenView(row, now()), key: isWhole ? key : maskKey(key) };
  }

  return { create, list, get, reveal, update, setStatus, remove };
}

const placeOf = (id: number) => `tokens.key_encrypted.${id}`;

const notFound = (id: number) => new AppError('object.notFound', { what: 'token', id, noun: 'token' });

function ownerId(actor: Actor, userId: number | undefined): number {
  if (!isSystem(actor)) return actor.id;
  if (userId === undefined) throw new AppError('input.invalid', { reason: 'a token needs a user' }, { param: 'user' });
  return userId;
}

/** What an edit adds to the quota: the difference to what the form showed, so that calls in flight are not undone. */
function grantDifference(row: TokenRow, input: Omit<TokenUpdate, 'id'>): number {
  if (input.remain_quota === undefined) return 0;
  const isUnlimited = input.unlimited_quota ?? row.unlimited_quota;
  if (input.remain_quota < 0) {
    // The figure of a token that counted below zero, sent back by its form.
    if (isUnlimited || input.remain_quota === row.remain_quota) return 0;
    throw new AppError('token.quotaNegative');
  }
  return input.remain_quota - (input.remain_quota_loaded ?? row.remain_quota);
}

function requireEnableable(row: TokenRow, now: number): void {
  const status = statusOf({ ...row, status: tokenStatus.enabled }, now);
  if (status === tokenStatus.expired) throw new AppError('token.stillExpired');
  if (status === tokenStatus.exhausted) throw new AppError('token.stillExhausted');
}
