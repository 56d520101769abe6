import { randomUUID } from 'node:crypto';
import { type Transaction, UniqueConstraintError } from 'sequelize';
import { writeStartEntries } from '../../billing/start-entry.ts';
import { bookTokenGrant } from '../../billing/token-grant.ts';
import type { Database } from '../../database/connect.ts';
import type { TokenRow } from '../../database/models/token.ts';
import { AppError } from '../../errors/app-error.ts';
import { type Clock, nowSeconds } from '../../lib/clock.ts';
import { definedFields } from '../../lib/defined-fields.ts';
import { maskKey } from '../../lib/mask-key.ts';
import { randomTokenKey } from '../../lib/random-key.ts';
import { repeatableTokenKey } from '../../lib/repeatable-key.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import type { Actor } from '../../schemas/actor.ts';
import {
  defaultTokenQuota,
  type Token,
  type TokenCreate,
  type TokenStatusBatch,
  type TokenStatusChange,
  type TokenUpdate,
  type TokenUsage,
  tokenStatus,
} from '../../schemas/token.ts';
import { coded } from '../../text/coded.ts';
import { isSystem } from '../actor.ts';
import { type AuditService, changedFields } from '../audit.ts';
import type { GroupService } from '../group/group.ts';
import { forEachRow, requireAll } from '../list-rows.ts';
import { listedKey, openKey } from '../secret.ts';
import { refuseStale } from '../stale.ts';
import { holderOfKey } from './key-holder.ts';
import { createTokenList, type TokenOwner } from './list.ts';
import { statusOf, tokenView, usageView } from './view.ts';

export interface TokenServiceDependencies {
  database: Database;
  secretBox: SecretBox;
  groups: GroupService;
  audit: Pick<AuditService, 'record'>;
  now?: Clock;
}

type TokenValues = Partial<TokenRow> & Pick<TokenRow, 'user_id' | 'remain_quota'>;

export type TokenService = ReturnType<typeof createTokenService>;

export function createTokenService(dependencies: TokenServiceDependencies) {
  const { database, secretBox, groups, audit, now = nowSeconds } = dependencies;

  /** The new token with its whole key. `key` is for the installation only, which may bring one. */
  async function create(
    actor: Actor,
    { request_key: requestKey, ...input }: TokenCreate,
    { userId, key }: TokenOwner & { key?: string } = {},
  ): Promise<Token> {
    const owner = await findOwner(ownerId(actor, userId));
    requireUsableGroup(input.group, owner.group);
    const remain_quota = input.remain_quota ?? (input.unlimited_quota ? 0 : defaultTokenQuota);
    const values = { ...input, remain_quota, user_id: owner.id, created_time: now(), accessed_time: now() };
    const isRepeatable = key === undefined && requestKey !== undefined;
    const plainKey = isRepeatable
      ? repeatableTokenKey(secretBox, { what: `token ${owner.id}`, requestKey, values: input })
      : (key ?? randomTokenKey());
    const id = await (isRepeatable ? insertOnce : insert)(actor, values, plainKey);
    return { ...tokenView(await findRow(actor, id), now()), key: plainKey };
  }

  /** Finds what the same request has made before, or at the same moment in another process. */
  async function insertOnce(actor: Actor, values: TokenValues, key: string): Promise<number> {
    const where = { key_hash: secretBox.lookupHashes(key), user_id: values.user_id, deleted_at: null };
    const find = () => database.tokens.findOne({ attributes: ['id'], where, raw: true });
    const known = await find();
    if (known) return known.id;
    return insert(actor, values, key).catch(async (error: unknown) => {
      const made = await find();
      if (made) return made.id;
      throw error;
    });
  }

  /** The row and the entry its quota is on, both or neither. */
  async function insert(actor: Actor, values: TokenValues, key: string): Promise<number> {
    try {
      return await database.transaction(async (transaction) => {
        const row = await database.tokens.create({ ...values, key_hash: secretBox.lookupHash(key) }, { transaction });
        // The place of the secret contains the row's id, which is known only now.
        const key_encrypted = secretBox.encrypt(key, tokenKeyPlace(row.id));
        await database.tokens.update({ key_encrypted }, { where: { id: row.id }, transaction });
        const { name, user_id, remain_quota } = values;
        const grant = { userId: user_id, tokenId: row.id, amount: remain_quota, actorId: actor.id };
        const entry = { ...grant, kind: 'token_grant', ref: `token:${row.id}:grant:1` };
        if (remain_quota !== 0) await writeStartEntries(database, transaction, [entry]);
        await audit.record(actor, { action: 'token.create', id: row.id, after: { name, user_id } }, transaction);
        return row.id;
      });
    } catch (error) {
      // Without the database's error as cause: it carries the whole row.
      throw error instanceof UniqueConstraintError ? new AppError('token.keyTaken') : error;
    }
  }

  async function get(actor: Actor, id: number, { withKeys = false } = {}): Promise<Token> {
    const row = await findRow(actor, id);
    return withKey(row, withKeys && row.user_id === actor.id);
  }

  /** The whole key, without `sk-`, for its owner or the system; leaves a trace. */
  async function reveal(actor: Actor, id: number): Promise<string> {
    const row = await findRow(actor, id);
    const key = openKey(secretBox, row.key_encrypted, tokenKeyPlace(id));
    await audit.record(actor, { action: 'token.reveal', id });
    return key;
  }

  /** The remaining quota of a token, for callers with its key. */
  async function usageOfKey(key: string, address: string): Promise<TokenUsage> {
    const { token } = await holderOfKey({ database, secretBox }, key, address);
    return usageView(token);
  }

  /** The keys of those of these tokens that are there and can be decrypted, by id. */
  async function revealMany(actor: Actor, ids: readonly number[]): Promise<Record<string, string>> {
    const rows = await database.tokens.findAll({ where: { ...ownedBy(actor), id: [...ids] }, raw: true });
    const readable = rows.map((row) => ({ id: row.id, key: listed(row).key })).filter(({ key }) => key !== '');
    for (const { id } of readable) await audit.record(actor, { action: 'token.reveal', id });
    return Object.fromEntries(readable.map(({ id, key }) => [id, key]));
  }

  async function update(
    actor: Actor,
    { id, remain_quota, remain_quota_loaded, quota_key, loaded, ...fields }: TokenUpdate,
  ): Promise<Token> {
    return database.transaction(async (transaction) => {
      const row = await findRow(actor, id, transaction);
      refuseStale({ loaded, wanted: fields, stored: tokenView(row, now()) });
      if (fields.group !== undefined && fields.group !== row.group) {
        requireUsableGroup(fields.group, (await findOwner(row.user_id, transaction)).group);
      }
      const amount = grantDifference(row, { remain_quota, remain_quota_loaded, ...fields });
      await save(actor, row, fields, 'token.update', transaction);
      const ref = grantRef(id, remain_quota_loaded === undefined ? undefined : quota_key);
      if (amount !== 0 && !(await isGranted(ref, amount, transaction))) {
        const grant = { userId: row.user_id, tokenId: id, amount, actorId: actor.id };
        await bookTokenGrant(database, transaction, { ...grant, ref });
        await audit.record(actor, { action: 'token.quota', id, after: { amount } }, transaction);
      }
      return shown(actor, await findRow(actor, id, transaction));
    });
  }

  /** By the same form before: the token's row is locked, so that of two requests the second sees what the first has booked. */
  async function isGranted(ref: string, amount: number, transaction: Transaction): Promise<boolean> {
    const sql = "SELECT amount FROM quota_entries WHERE kind = 'token_grant' AND ref = :ref";
    const [entry] = await database.select<{ amount: number }>(sql, { ref }, transaction);
    if (entry && entry.amount !== amount) throw new AppError('user.creditDiffers');
    return entry !== undefined;
  }

  async function setStatus(actor: Actor, { id, status }: TokenStatusChange): Promise<Token> {
    return database.transaction(async (transaction) => {
      const row = await findRow(actor, id, transaction);
      if (status === tokenStatus.enabled) requireEnableable(row, now());
      const action = status === tokenStatus.enabled ? 'token.enable' : 'token.disable';
      await save(actor, row, { status }, action, transaction);
      return shown(actor, { ...row, status });
    });
  }

  /** All of them or none: the error names the first that does not exist, or that cannot be switched on. Returns their number. */
  async function setStatusMany(actor: Actor, { ids, status }: TokenStatusBatch): Promise<number> {
    const action = status === tokenStatus.enabled ? 'token.enable' : 'token.disable';
    return database.transaction(async (transaction) => {
      const rows = await findRows(actor, ids, transaction);
      requireAll(ids, rows, notFound);
      await forEachRow(
        rows,
        ({ name }) => name,
        async (row) => {
          if (status === tokenStatus.enabled) requireEnableable(row, now());
          await save(actor, row, { status }, action, transaction);
        },
      );
      return rows.length;
    });
  }

  async function remove(actor: Actor, id: number): Promise<void> {
    await database.transaction(async (transaction) => {
      const row = await findRow(actor, id, transaction);
      await save(actor, row, { deleted_at: now() }, 'token.remove', transaction);
    });
  }

  /** Ids that are foreign or gone already are passed over alike; returns the number of tokens removed. */
  async function removeMany(actor: Actor, ids: number[]): Promise<number> {
    return database.transaction(async (transaction) => {
      const rows = await findRows(actor, ids, transaction);
      for (const row of rows) await save(actor, row, { deleted_at: now() }, 'token.remove', transaction);
      return rows.length;
    });
  }

  /** Changed columns only: quota and counters belong to the ledger. */
  async function save(
    actor: Actor,
    row: TokenRow,
    fields: Partial<TokenRow>,
    action: string,
    transaction: Transaction,
  ): Promise<void> {
    const { before, after } = changedFields(row, definedFields(fields));
    if (Object.keys(after).length === 0) return;
    await database.tokens.update(after, { where: { id: row.id }, transaction });
    await audit.record(actor, { action, id: row.id, before, after }, transaction);
  }

  /** Foreign and missing look the same. */
  async function findRow(actor: Actor, id: number, transaction?: Transaction): Promise<TokenRow> {
    const where = { ...ownedBy(actor), id };
    const lock = transaction ? transaction.LOCK.UPDATE : undefined;
    const row = await database.tokens.findOne({ where, raw: true, transaction, lock });
    if (!row) throw notFound(id);
    return readRow(row);
  }

  /** In the order of their ids, so that two edits of many rows never wait for each other in a circle. */
  async function findRows(actor: Actor, ids: number[], transaction: Transaction): Promise<TokenRow[]> {
    const where = { ...ownedBy(actor), id: ids };
    const order: [string, string][] = [['id', 'ASC']];
    const lock = transaction.LOCK.UPDATE;
    return (await database.tokens.findAll({ where, order, raw: true, transaction, lock })).map(readRow);
  }

  async function findOwner(id: number, transaction?: Transaction): Promise<{ id: number; group: string }> {
    const row = await database.users.findOne({
      attributes: ['id', 'group'],
      where: { id, deleted_at: null },
      raw: true,
      transaction,
    });
    if (!row) throw new AppError('object.notFound', { what: coded('noun.user'), id, noun: 'user' });
    return row;
  }

  function requireUsableGroup(group: string, ownerGroup: string): void {
    if (group === '' || group === ownerGroup) return;
    if (!groups.hasRatio(group)) throw new AppError('group.unknown', { group });
    if (!groups.usable(group)) throw new AppError('group.notUsable', { group });
  }

  const listed = (row: TokenRow) => listedKey(secretBox, row.key_encrypted, tokenKeyPlace(row.id));

  /** The owner's page keeps the row an edit returns, so its key is as complete as in the list. */
  const shown = (actor: Actor, row: TokenRow) => withKey(row, row.user_id === actor.id);

  function withKey(row: TokenRow, isWhole: boolean): Token {
    const { key, ...problem } = listed(row);
    return { ...tokenView(row, now()), key: isWhole ? key : maskKey(key), ...problem };
  }

  const list = createTokenList({ database, secretBox, keyOf: (row) => listed(row).key, withKey });
  return { create, list, get, reveal, revealMany, usageOfKey, update, setStatus, setStatusMany, remove, removeMany };
}

// SQLite returns 0 and 1 for a plain query.
const readRow = (row: TokenRow): TokenRow => ({
  ...row,
  unlimited_quota: Boolean(row.unlimited_quota),
  model_limits_enabled: Boolean(row.model_limits_enabled),
});

/** Live tokens the actor reaches. */
const ownedBy = (actor: Actor) => ({ deleted_at: null, ...(!isSystem(actor) && { user_id: actor.id }) });

const grantRef = (tokenId: number, key: string = randomUUID()) => `token:${tokenId}:grant:${key}`;

export const tokenKeyPlace = (id: number) => `tokens.key_encrypted.${id}`;

const notFound = (id: number) => new AppError('object.notFound', { what: coded('noun.token'), id, noun: 'token' });

function ownerId(actor: Actor, userId: number | undefined): number {
  if (!isSystem(actor)) return actor.id;
  if (userId === undefined)
    throw new AppError('input.invalid', { reason: coded('input.tokenUser') }, { param: 'user' });
  return userId;
}

/** What an edit adds to the quota: the difference to what the form showed, so that calls in flight are not undone. */
function grantDifference(row: TokenRow, input: Omit<TokenUpdate, 'id'>): number {
  if (input.remain_quota === undefined) return 0;
  const isUnlimited = input.unlimited_quota ?? row.unlimited_quota;
  if (input.remain_quota < 0) {
    // The figure of a token that counted below zero, sent back by its form.
    if (isUnlimited || input.remain_quota === (input.remain_quota_loaded ?? row.remain_quota)) return 0;
    throw new AppError('token.quotaNegative');
  }
  return input.remain_quota - (input.remain_quota_loaded ?? row.remain_quota);
}

function requireEnableable(row: TokenRow, now: number): void {
  const status = statusOf({ ...row, status: tokenStatus.enabled }, now);
  if (status === tokenStatus.expired) throw new AppError('token.stillExpired');
  if (status === tokenStatus.exhausted) throw new AppError('token.stillExhausted');
}
