import type { Transaction } from 'sequelize';
import type { Database } from '../database/connect.ts';
import type { AuditRow } from '../database/models/audit.ts';
import { type Clock, nowSeconds } from '../lib/clock.ts';
import { maskKey } from '../lib/mask-key.ts';
import { type Actor, role } from '../schemas/actor.ts';
import type { Audit, AuditList, Change } from '../schemas/audit.ts';
import { maxCounted } from '../schemas/page-size.ts';
import type { Page } from '../schemas/paging.ts';
import { type Language, wordsIn } from '../text/text.ts';
import { requireRole } from './actor.ts';
import { namesOf, type ObjectNames } from './audit-name.ts';
import { closedAccounts, withoutPersonal } from './audit-privacy.ts';
import { sentenceOf } from './audit-sentence.ts';
import { infoIn } from './channel/view.ts';

export interface AuditEvent {
  /** `noun.verb`, such as `channel.update`. */
  action: string;
  id: number | string;
  /** Only what changed; secrets are masked here. */
  before?: Record<string, unknown>;
  after?: Record<string, unknown>;
}

export interface AuditService {
  /** With the transaction of the change itself, so that one is never stored without the other. */
  record(actor: Actor, event: AuditEvent, transaction?: Transaction): Promise<void>;
  /** Hundreds at once, in one statement. */
  recordAll(actor: Actor, events: AuditEvent[], transaction?: Transaction): Promise<void>;
  /** Newest first; the total is exact up to ten thousand rows. */
  list(actor: Actor, input: AuditList): Promise<Page<Audit>>;
}

const maxValueLength = 2000;

export function createAuditService({ database, now = nowSeconds }: { database: Database; now?: Clock }): AuditService {
  async function recordAll(actor: Actor, events: AuditEvent[], transaction?: Transaction): Promise<void> {
    if (events.length === 0) return;
    const rows = events.map((event) => rowOf(actor, event, now()));
    await database.audits.bulkCreate(rows, { transaction });
    database.rehearsal()?.changes.push(...rows.map(changeOf));
  }

  return {
    record: (actor, event, transaction) => recordAll(actor, [event], transaction),
    recordAll,
    async list(actor, input) {
      requireRole(actor, role.admin);
      const { page, page_size } = input;
      const { where, replacements } = conditionsOf(input);
      // SQL: a count that ends at ten thousand rows, and the page that belongs to it.
      const [counted] = await database.select<{ total: number }>(
        `SELECT count(*) AS total FROM (SELECT 1 FROM audits ${where} LIMIT ${maxCounted}) AS capped`,
        replacements,
      );
      const total = counted?.total ?? 0;
      const offset = (page - 1) * page_size;
      const rows = await database.select<AuditRow>(
        `SELECT * FROM audits ${where} ORDER BY id DESC LIMIT :page_size OFFSET :offset`,
        // Nothing is behind the last row that was counted, and passing millions would take longer than saying so.
        { ...replacements, page_size: offset < total ? page_size : 0, offset: Math.min(offset, total) },
      );
      const names = await namesOf(database, rows);
      const closed = await closedAccounts(database, actor, rows);
      const items = rows.map((row) => {
        const shown = view(row, names);
        if (row.object_kind !== 'user' || !closed.has(row.object_id)) return shown;
        return { ...shown, before: withoutPersonal(shown.before), after: withoutPersonal(shown.after) };
      });
      return { items, page, page_size, total };
    },
  };
}

function rowOf(actor: Actor, { action, id, before, after }: AuditEvent, createdAt: number): Omit<AuditRow, 'id'> {
  return {
    created_at: createdAt,
    actor_id: actor.id,
    actor_name: actor.name,
    address: actor.address,
    action,
    object_kind: action.split('.')[0] ?? '',
    object_id: String(id),
    before: write(before),
    after: write(after),
  };
}

function conditionsOf({ action, object_kind, object_id, actor, start_timestamp, end_timestamp }: AuditList) {
  const possible: [value: unknown, name: string, sql: string][] = [
    [action, 'action', 'action = :action'],
    [object_kind, 'object_kind', 'object_kind = :object_kind'],
    [object_id, 'object_id', 'object_id = :object_id'],
    [actor, 'actor', /^\d{1,15}$/.test(actor) ? 'actor_id = CAST(:actor AS BIGINT)' : 'actor_name = :actor'],
    [start_timestamp, 'start', 'created_at >= :start'],
    [end_timestamp, 'end', 'created_at <= :end'],
  ];
  const used = possible.filter(([value]) => Boolean(value));
  return {
    where: used.length > 0 ? `WHERE ${used.map(([, , sql]) => sql).join(' AND ')}` : '',
    replacements: Object.fromEntries(used.map(([value, name]) => [name, value])),
  };
}

function changeOf({ action, object_id, before, after }: Omit<AuditRow, 'id'>): Change {
  // An object that does not exist yet has no number yet either.
  const id = action.endsWith('.create') ? '' : object_id;
  return { action, object_id: id, before: read(before), after: read(after) };
}

function view({ before, after, ...row }: AuditRow, names: ObjectNames): Audit {
  const object_name = names.get(row.object_kind)?.get(row.object_id) ?? '';
  return { ...row, object_name, sentence: [], before: read(before), after: read(after) };
}

/** A row as its reader sees it, in a sentence: why a channel went off or a task failed is kept as a code. */
export function auditIn(language: Language, row: Audit, moneyOf: (quota: number) => string): Audit {
  const [before, after] = [valuesIn(language, row.before), valuesIn(language, row.after)];
  return { ...row, sentence: sentenceOf(language, row, moneyOf), before, after };
}

function valuesIn(language: Language, values: Audit['after']): Audit['after'] {
  if (typeof values?.other_info === 'string') return { ...values, other_info: infoIn(language, values.other_info) };
  return typeof values?.fail_reason === 'string'
    ? { ...values, fail_reason: wordsIn(language, values.fail_reason) }
    : values;
}

function read(text: string): Record<string, unknown> | null {
  // Rows of a former version have some letters of them.
  return text === '' ? null : (JSON.parse(text, withoutDerived) as Record<string, unknown>);
}

/** The entries of `after` that differ from `before`, and what they were. */
export function changedFields<T extends object>(before: T, after: Partial<T>) {
  const names = (Object.keys(after) as (keyof T & string)[]).filter((name) => after[name] !== before[name]);
  return {
    before: Object.fromEntries(names.map((name) => [name, before[name]])),
    after: Object.fromEntries(names.map((name) => [name, after[name]])),
  };
}

function write(values: Record<string, unknown> | undefined): string {
  if (!values) return '';
  return JSON.stringify(Object.fromEntries(Object.entries(values).map(([name, value]) => [name, safe(name, value)])));
}

const sensitiveName = /(^|_)(key|password|secret|token)$|(Key|Secret|Token)$/;
/** What was made from a secret: no letter of it tells a reader which one it was. */
const derivedName = /_(hash|encrypted)$/;
const withoutDerived = (name: string, value: unknown) =>
  derivedName.test(name) && typeof value === 'string' && value !== '' ? '***' : value;

function safe(name: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (sensitiveName.test(name)) return maskKey(value);
  if (derivedName.test(name)) return withoutDerived(name, value);
  return value.length > maxValueLength ? `${value.slice(0, maxValueLength)}…` : value;
}
