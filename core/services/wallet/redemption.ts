import { Op, type Transaction, type WhereOptions } from 'sequelize';
import { formatQuota } from '../../billing/quota.ts';
import type { RedemptionRow } from '../../database/models/redemption.ts';
import { AppError } from '../../errors/app-error.ts';
import { nowSeconds } from '../../lib/clock.ts';
import { definedFields } from '../../lib/defined-fields.ts';
import { randomRedemptionKey } from '../../lib/random-key.ts';
import { repeatableRedemptionKey } from '../../lib/repeatable-key.ts';
import { textMatches } from '../../lib/text-match.ts';
import { type Actor, role } from '../../schemas/actor.ts';
import type { LoadedValues } from '../../schemas/loaded.ts';
import type { Page } from '../../schemas/paging.ts';
import {
  type Redemption,
  type RedemptionCreate,
  type RedemptionList,
  type RedemptionStatusBatch,
  type RedemptionStatusChange,
  type RedemptionUpdate,
  redemptionListStatus,
  redemptionStatus,
} from '../../schemas/redemption.ts';
import { coded } from '../../text/coded.ts';
import { requireRole } from '../actor.ts';
import { changedFields } from '../audit.ts';
import { forEachRow, listRows, matches, orderBy, requireAll } from '../list-rows.ts';
import type { OptionService } from '../option/option.ts';
import { listedKey } from '../secret.ts';
import { refuseStale } from '../stale.ts';
import { deletedAt } from '../user/view.ts';
import { createRedeem, type RedeemDependencies, redemptionKeyForm } from './redeem.ts';

export interface RedemptionServiceDependencies extends RedeemDependencies {
  options: Pick<OptionService, 'get'>;
}

export type RedemptionService = ReturnType<typeof createRedemptionService>;

export function createRedemptionService(dependencies: RedemptionServiceDependencies) {
  const { database, secretBox, options, audit, now = nowSeconds } = dependencies;
  const redeem = createRedeem(dependencies);

  /** The new codes; all of the batch or none. */
  async function create(actor: Actor, { request_key: requestKey, ...input }: RedemptionCreate): Promise<string[]> {
    requireRole(actor, role.admin);
    if (requestKey === undefined) {
      const keys = Array.from({ length: input.count }, randomRedemptionKey);
      await insert(actor, input, keys);
      return keys;
    }
    const request = { what: `redemption ${actor.id}`, requestKey, values: input };
    const keys = Array.from({ length: input.count }, (_, at) => repeatableRedemptionKey(secretBox, request, at));
    if (!(await isMade(keys))) {
      await insert(actor, input, keys).catch(async (error: unknown) => {
        // By the same request in another process, at the same moment.
        if (!(await isMade(keys))) throw error;
      });
    }
    return keys;
  }

  async function isMade([key = '']: readonly string[]): Promise<boolean> {
    return (await database.redemptions.count({ where: { key_hash: secretBox.lookupHashes(key) } })) > 0;
  }

  async function insert(
    actor: Actor,
    { quota, count, expired_time, ...input }: Omit<RedemptionCreate, 'request_key'>,
    keys: readonly string[],
  ): Promise<void> {
    const name = input.name || worthOf(quota);
    requireLater(expired_time);
    const values = { user_id: actor.id, name, quota, created_time: now(), expired_time };
    await database.transaction(async (transaction) => {
      const ids: number[] = [];
      for (const key of keys) {
        const { id } = await database.redemptions.create(
          { ...values, key_hash: secretBox.lookupHash(key) },
          { transaction },
        );
        // The place of the secret contains the row's id, which is known only now.
        const key_encrypted = secretBox.encrypt(key, redemptionKeyPlace(id));
        await database.redemptions.update({ key_encrypted }, { where: { id }, transaction });
        ids.push(id);
      }
      const after = { name, quota, count, ids: ids.join(','), ...(expired_time > 0 && { expired_time }) };
      await audit.record(actor, { action: 'redemption.create', id: ids[0] ?? '', after }, transaction);
    });
  }

  const worthOf = (quota: number) =>
    formatQuota(quota, {
      inCurrency: options.get('DisplayInCurrencyEnabled'),
      quotaPerUnit: options.get('QuotaPerUnit'),
    });

  async function list(
    actor: Actor,
    { keyword, status, sort = '-id', page, page_size }: RedemptionList,
  ): Promise<Page<Redemption>> {
    requireRole(actor, role.admin);
    const conditions: WhereOptions<RedemptionRow>[] = [{ deleted_at: null }];
    if (keyword) {
      const name = matches(database, 'name', textMatches[database.engine].beginning(keyword));
      const id = /^[1-9]\d{0,14}$/.test(keyword) ? Number(keyword) : 0;
      const key_hash = redemptionKeyForm.test(keyword) ? secretBox.lookupHashes(keyword) : [];
      conditions.push({ [Op.or]: [name, { id }, { key_hash }] });
    }
    if (status) conditions.push(...statusConditions(status, now()));
    const query = { where: { [Op.and]: conditions }, order: orderBy(sort) };
    const { rows, total } = await listRows(database.redemptions, query, { page, page_size });
    return { items: rows.map(view), page, page_size, total };
  }

  async function get(actor: Actor, id: number): Promise<Redemption> {
    requireRole(actor, role.admin);
    return view(await findRow(id));
  }

  async function update(actor: Actor, { id, loaded, ...input }: RedemptionUpdate): Promise<Redemption> {
    requireLater(input.expired_time ?? 0);
    const fields = definedFields(input);
    return Object.keys(fields).length === 0
      ? get(actor, id)
      : change(actor, id, { fields, loaded }, 'redemption.update');
  }

  function requireLater(expiry: number): void {
    if (expiry > 0 && expiry <= now()) throw new AppError('redemption.expiryPast');
  }

  const setStatus = (actor: Actor, { id, status }: RedemptionStatusChange): Promise<Redemption> =>
    change(
      actor,
      id,
      { fields: { status } },
      status === redemptionStatus.unused ? 'redemption.enable' : 'redemption.disable',
    );

  /** All of them or none: the error names the first that does not exist or was used. Returns their number. */
  async function setStatusMany(actor: Actor, { ids, status }: RedemptionStatusBatch): Promise<number> {
    requireRole(actor, role.admin);
    const action = status === redemptionStatus.unused ? 'redemption.enable' : 'redemption.disable';
    return database.transaction(async (transaction) => {
      const rows = await findRows(ids, transaction);
      requireAll(ids, rows, notFound);
      await forEachRow(
        rows,
        ({ name }) => name,
        (row) => save(actor, row, { status }, action, transaction),
      );
      return rows.length;
    });
  }

  async function change(
    actor: Actor,
    id: number,
    { fields, loaded }: { fields: Partial<RedemptionRow>; loaded?: LoadedValues },
    action: string,
  ): Promise<Redemption> {
    requireRole(actor, role.admin);
    return database.transaction(async (transaction) => {
      const [row] = await findRows([id], transaction);
      if (!row) throw notFound(id);
      refuseStale({ loaded, wanted: fields, stored: view(row) });
      await save(actor, row, fields, action, transaction);
      return view({ ...row, ...fields });
    });
  }

  async function save(
    actor: Actor,
    row: RedemptionRow,
    fields: Partial<RedemptionRow>,
    action: string,
    transaction: Transaction,
  ): Promise<void> {
    const { id } = row;
    const { before, after } = changedFields(row, fields);
    // The status is in the condition: the code may be redeemed at this moment.
    const where = { id, deleted_at: null, status: { [Op.ne]: redemptionStatus.used } };
    const [count] = await database.redemptions.update(fields, { where, transaction });
    if (count === 0) {
      const isThere = await database.redemptions.findOne({ where: { id, deleted_at: null }, raw: true, transaction });
      throw isThere ? new AppError('redemption.fixed') : notFound(id);
    }
    if (Object.keys(after).length > 0) await audit.record(actor, { action, id, before, after }, transaction);
  }

  /** The row stays, so that what a used code gave can always be told, and no later code can have the same text. */
  async function remove(actor: Actor, id: number): Promise<void> {
    requireRole(actor, role.admin);
    if ((await removeMany(actor, [id])) === 0) throw notFound(id);
  }

  /** Codes that are gone already are passed over; returns the number of those that were there. */
  async function removeMany(actor: Actor, ids: number[]): Promise<number> {
    requireRole(actor, role.admin);
    return database.transaction(async (transaction) => {
      const rows = await findRows(ids, transaction);
      for (const { id, name } of rows) {
        await database.redemptions.update({ deleted_at: now() }, { where: { id }, transaction });
        await audit.record(actor, { action: 'redemption.remove', id, before: { name } }, transaction);
      }
      return rows.length;
    });
  }

  /** Those that were used, disabled, or not used in time; returns how many. */
  async function removeInvalid(actor: Actor): Promise<number> {
    requireRole(actor, role.admin);
    return database.transaction(async (transaction) => {
      const where = { deleted_at: null, [Op.or]: [{ status: { [Op.ne]: redemptionStatus.unused } }, isOver(now())] };
      const [count] = await database.redemptions.update({ deleted_at: now() }, { where, transaction });
      if (count > 0)
        await audit.record(actor, { action: 'redemption.removeInvalid', id: '', after: { count } }, transaction);
      return count;
    });
  }

  async function findRow(id: number): Promise<RedemptionRow> {
    const row = await database.redemptions.findOne({ where: { id, deleted_at: null }, raw: true });
    if (!row) throw notFound(id);
    return row;
  }

  /** In the order of their ids, so that two edits of many rows never wait for each other in a circle. */
  function findRows(ids: number[], transaction: Transaction): Promise<RedemptionRow[]> {
    const order: [string, string][] = [['id', 'ASC']];
    const where = { id: ids, deleted_at: null };
    return database.redemptions.findAll({ where, order, raw: true, transaction, lock: transaction.LOCK.UPDATE });
  }

  function view(row: RedemptionRow): Redemption {
    const { key, ...problem } = listedKey(secretBox, row.key_encrypted, redemptionKeyPlace(row.id));
    return {
      id: row.id,
      user_id: row.user_id,
      key,
      status: row.status,
      name: row.name,
      quota: row.quota,
      created_time: row.created_time,
      redeemed_time: row.redeemed_time,
      expired_time: row.expired_time,
      count: 0,
      used_user_id: row.used_user_id,
      DeletedAt: deletedAt(row.deleted_at),
      ...problem,
    };
  }

  return { create, list, get, update, setStatus, setStatusMany, remove, removeMany, removeInvalid, redeem };
}

const isOver = (now: number): WhereOptions<RedemptionRow> => ({ expired_time: { [Op.gt]: 0, [Op.lte]: now } });

function statusConditions(status: number, now: number): WhereOptions<RedemptionRow>[] {
  if (status === redemptionListStatus.expired) return [{ status: redemptionStatus.unused }, isOver(now)];
  if (status !== redemptionStatus.unused) return [{ status }];
  return [{ status, expired_time: { [Op.or]: [{ [Op.lte]: 0 }, { [Op.gt]: now }] } }];
}

export const redemptionKeyPlace = (id: number) => `redemptions.key_encrypted.${id}`;

const notFound = (id: number) =>
  new AppError('object.notFound', { what: coded('noun.redemption'), id, noun: 'redemption' });
