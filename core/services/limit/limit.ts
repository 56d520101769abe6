import { type Order, type Transaction, UniqueConstraintError, type WhereOptions } from 'sequelize';
import type { Database } from '../../database/connect.ts';
import type { LimitRow } from '../../database/models/limit.ts';
import { AppError } from '../../errors/app-error.ts';
import { type Clock, nowSeconds } from '../../lib/clock.ts';
import { definedFields } from '../../lib/defined-fields.ts';
import { type Actor, role } from '../../schemas/actor.ts';
import type { Limit, LimitCreate, LimitList, LimitSubjectKind, LimitUpdate } from '../../schemas/limit.ts';
import { limitsOfSubject } from '../../schemas/limit-subject.ts';
import type { Page } from '../../schemas/paging.ts';
import { coded } from '../../text/coded.ts';
import { requireRole } from '../actor.ts';
import { type AuditService, changedFields } from '../audit.ts';
import { listRows, orderBy } from '../list-rows.ts';
import { createMadeOnce } from '../made-once.ts';
import type { ModelService } from '../model/model.ts';
import { refuseStale } from '../stale.ts';
import { requireRankOver } from '../user/rank.ts';
import { forgetAlerts } from './alert.ts';
import { createOwnLimits } from './own.ts';
import { createLimitView } from './view.ts';
import { namesOf } from './words.ts';

export interface LimitServiceDependencies {
  database: Database;
  audit: Pick<AuditService, 'record'>;
  models: Pick<ModelService, 'openTo'>;
  /** Of the calendar that budgets start again by. */
  timeZone(): string;
  now?: Clock;
}

type LimitSubject = Pick<LimitRow, 'subject_kind' | 'subject'>;

export type LimitService = ReturnType<typeof createLimitService>;

/** More are read into memory by every process, and asked about for every call. */
const maxLimits = 10_000;

/** The subject of those for each is empty. */
const ownFirst: Order = [
  ['subject', 'DESC'],
  ['id', 'ASC'],
];

/** Limits and budgets of tokens, users, groups and models: how they are set, and how much of them is taken. */
export function createLimitService(dependencies: LimitServiceDependencies) {
  const { database, audit, models, timeZone, now = nowSeconds } = dependencies;
  const views = createLimitView({ database, timeZone, now });
  const once = createMadeOnce({ database, now });
  const listOwn = createOwnLimits({ database, models, views });

  async function list(actor: Actor, { sort, ...input }: LimitList): Promise<Page<Limit>> {
    requireRole(actor, role.admin);
    const { page, page_size, applies_to, subject } = input;
    const where = applies_to
      ? { ...conditionsOf({ ...input, subject: '' }), id: await idsAppliedTo(applies_to, subject) }
      : conditionsOf(input);
    const order = sort === undefined && applies_to ? ownFirst : orderBy(sort ?? '-id');
    const { rows, total } = await listRows(database.limits, { where, order }, { page, page_size });
    return { items: await views.all(rows, applies_to ? { [applies_to]: [subject] } : {}), page, page_size, total };
  }

  /** Of the one and of each of its kind there are a few dozen at most. */
  async function idsAppliedTo(subject_kind: LimitSubjectKind, subject: string): Promise<number[]> {
    const rows = await database.limits.findAll({ where: { subject_kind, subject: ['', subject] }, raw: true });
    return limitsOfSubject(rows, subject).map(({ id }) => id);
  }

  async function get(actor: Actor, id: number): Promise<Limit> {
    requireRole(actor, role.admin);
    return view(await findRow(id));
  }

  async function create(actor: Actor, { enabled, request_key: requestKey, ...input }: LimitCreate): Promise<Limit> {
    requireRole(actor, role.admin);
    await requireSubject(input.subject_kind, input.subject);
    await requireReach(actor, input);
    const values = { ...input, enabled: Number(enabled), created_time: now(), updated_time: now() };
    try {
      const request = { what: `limit ${actor.id}`, requestKey, values: { ...input, enabled } };
      const [id = 0] = await once(request, (note) =>
        database.transaction(async (transaction) => {
          if ((await database.limits.count({ transaction })) >= maxLimits) {
            throw new AppError('limit.tooMany', { max: maxLimits });
          }
          const made = await database.limits.create(values, { transaction });
          const after = auditOf({ ...values, id: made.id });
          await audit.record(actor, { action: 'limit.create', id: made.id, after }, transaction);
          await note([made.id], transaction);
          return [made.id];
        }),
      );
      return await get(actor, id);
    } catch (error) {
      if (error instanceof UniqueConstraintError) throw new AppError('limit.exists', namesOf(input), { cause: error });
      throw error;
    }
  }

  async function update(actor: Actor, { id, amount, enabled, loaded }: LimitUpdate): Promise<Limit> {
    requireRole(actor, role.admin);
    const fields = definedFields({ amount, enabled: enabled === undefined ? undefined : Number(enabled) });
    const row = await database.transaction(async (transaction) => {
      const current = await findRow(id, transaction);
      await requireReach(actor, current, transaction);
      const stored = { amount: current.amount, enabled: Boolean(current.enabled) };
      refuseStale({ loaded, wanted: { amount, enabled }, stored });
      const { before, after } = changedFields(current, fields);
      if (Object.keys(after).length === 0) return current;
      const values = { ...fields, updated_time: now() };
      await database.limits.update(values, { where: { id }, transaction });
      if (amount !== undefined && amount > current.amount) await forgetAlerts(database, { id, amount }, transaction);
      await audit.record(actor, { action: 'limit.update', id, before, after }, transaction);
      return { ...current, ...values };
    });
    return view(row);
  }

  async function remove(actor: Actor, id: number): Promise<void> {
    requireRole(actor, role.admin);
    await database.transaction(async (transaction) => {
      const row = await findRow(id, transaction);
      await requireReach(actor, row, transaction);
      await database.limits.destroy({ where: { id }, transaction });
      await audit.record(actor, { action: 'limit.remove', id, before: auditOf(row) }, transaction);
    });
  }

  async function findRow(id: number, transaction?: Transaction): Promise<LimitRow> {
    const row = await database.limits.findOne({ where: { id }, raw: true, transaction });
    if (!row) throw new AppError('object.notFound', { what: coded('noun.limit'), id, noun: 'limit' });
    return row;
  }

  /** A name of a group or a model may come before the group or the model does. */
  async function requireSubject(kind: LimitSubjectKind, subject: string): Promise<void> {
    if (subject === '' || kind === 'group' || kind === 'model') return;
    const where = { id: Number(subject), deleted_at: null };
    const found = await (kind === 'user' ? database.users.findOne({ where }) : database.tokens.findOne({ where }));
    if (!found) throw new AppError('object.notFound', { what: coded(`noun.${kind}`), id: subject, noun: kind });
  }

  /** What stops the calls of a user, or frees the user of a budget, is for those who may change the account itself. */
  async function requireReach(actor: Actor, limit: LimitSubject, transaction?: Transaction): Promise<void> {
    const owner = await ownerOf(limit, transaction);
    if (owner) requireRankOver(actor, owner);
  }

  /** The user whose calls alone are counted; undefined where it is everyone's, and where the token is gone for good. */
  async function ownerOf({ subject_kind: kind, subject }: LimitSubject, transaction?: Transaction) {
    if (subject === '' || kind === 'group' || kind === 'model') return undefined;
    const id =
      kind === 'user'
        ? Number(subject)
        : (await database.tokens.findByPk(Number(subject), { raw: true, transaction }))?.user_id;
    return id === undefined ? undefined : database.users.findByPk(id, { attributes: ['role'], raw: true, transaction });
  }

  async function view(row: LimitRow): Promise<Limit> {
    const [limit] = await views.all([row]);
    if (!limit) throw new Error('a limit has no view');
    return limit;
  }

  return { list, get, create, update, remove, listOwn };
}

function conditionsOf({ subject_kind, subject, measure }: Pick<LimitList, 'subject_kind' | 'subject' | 'measure'>) {
  const where: WhereOptions<LimitRow> = {
    ...(subject_kind && { subject_kind }),
    ...(subject && { subject }),
    ...(measure && { measure }),
  };
  return where;
}

const auditOf = ({ subject_kind, subject, measure, period, amount, enabled }: LimitRow) => ({
  subject_kind,
  subject,
  measure,
  period,
  amount,
  enabled,
});
