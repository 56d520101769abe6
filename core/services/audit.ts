import type { Transaction } from 'sequelize';
import type { Database } from '../database/connect.ts';
import type { AuditRow } from '../database/models/audit.ts';
import { type Clock, nowSeconds } from '../lib/clock.ts';
import { maskKey } from '../lib/mask-key.ts';
import { type Actor, role } from '../schemas/actor.ts';
import type { Page, Paging } from '../schemas/paging.ts';
import { requireRole } from './actor.ts';

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
  list(actor: Actor, paging: Paging): Promise<Page<AuditRow>>;
}

const longestValue = 2000;

export function createAuditService({ database, now = nowSeconds }: { database: Database; now?: Clock }): AuditService {
  return {
    async record(actor, event, transaction) {
      await database.audits.create(
        {
          created_at: now(),
          actor_id: actor.id,
          actor_name: actor.name,
          address: actor.address,
          action: event.action,
          object_kind: event.action.split('.')[0] ?? '',
          object_id: String(event.id),
          before: write(event.before),
          after: write(event.after),
        },
        { transaction },
      );
    },
    async list(actor, { page, page_size }) {
      requireRole(actor, role.admin);
      const { rows, count } = await database.audits.findAndCountAll({
        order: [['id', 'DESC']],
        limit: page_size,
        offset: (page - 1) * page_size,
      });
      return { items: rows.map((row) => row.get({ plain: true })), page, page_size, total: count };
    },
  };
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

const sensitiveName = /(^|_)(key|password|secret|token|hash|encrypted)$|(Key|Secret|Token)$/;

function safe(name: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (sensitiveName.test(name)) return maskKey(value);
  return value.length > longestValue ? `${value.slice(0, longestValue)}…` : value;
}
