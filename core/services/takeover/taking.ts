import type { Transaction } from 'sequelize';
import type { Database } from '../../database/connect.ts';
import type { TableModel } from '../../database/models/column.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import type { Actor } from '../../schemas/actor.ts';
import type { AuditService } from '../audit.ts';
import type { TakeoverSource } from './source.ts';

export type TakenTable =
  | 'users'
  | 'channels'
  | 'tokens'
  | 'options'
  | 'redemptions'
  | 'top_ups'
  | 'orders'
  | 'quota_data'
  | 'logs';

/** Why a row was left out, or what was changed about one that was taken. */
export type TakeoverReason =
  | 'deleted'
  | 'nameTaken'
  | 'nameChanged'
  | 'outsideTaken'
  | 'noKey'
  | 'keyTaken'
  | 'severalKeys'
  | 'typeUnknown'
  | 'noUser'
  | 'badAddresses'
  | 'badSetting'
  | 'codeForm'
  | 'unpaid'
  | 'optionUnknown'
  | 'optionInvalid'
  | 'optionSet'
  | 'rootLowered'
  | 'goneHere'
  | 'otherSignIn'
  | 'autoGroup'
  | 'backupGroup'
  | 'fieldLost'
  | 'usedSince'
  | 'usedTwice'
  | 'closedSince'
  | 'quotaLowered'
  | 'noStatus'
  | 'noEnd'
  | 'badId'
  | 'olderCopy';

export interface TableReport {
  table: TakenTable;
  read: number;
  taken: number;
  /** Taken over before: what changed in the source since was added. */
  changed: number;
  /** Taken over before, or there already. */
  present: number;
  skipped: number;
  notes: { reason: TakeoverReason; count: number; examples: string[] }[];
}

/** What an account can spend, in the source and here. */
export interface UserBalance {
  id: number;
  username: string;
  source: number;
  before: number;
  after: number;
}

export interface Tally {
  taken(): void;
  changed(): void;
  present(count?: number): void;
  skip(reason: TakeoverReason, name: string): void;
  /** It was taken, but not as it was. */
  note(reason: TakeoverReason, name: string): void;
  report(): TableReport;
}

/** Ids of the old installation to ids here. */
export type IdMap = Map<number, number>;

/** What can be disabled and deleted in the source, and must not be used here then. */
export type ClosedSubject = 'user' | 'token' | 'code';

/** What every table of one take-over works with. */
export interface Taking {
  actor: Actor;
  audit: Pick<AuditService, 'record'>;
  source: TakeoverSource;
  database: Database;
  secretBox: SecretBox;
  transaction: Transaction;
  /** Nothing but root is here: root's account becomes the old root's. */
  isFresh: boolean;
  ids: { users: IdMap; tokens: IdMap; channels: IdMap };
  /** The number of the old installation among those that were imported. */
  installation: number;
  /** Ids here of rows that the source contains. */
  seen: Record<ClosedSubject, Set<number>>;
  /** Made before the copy that was imported last: what was closed by then may be open again, and what is missing may be new. */
  isOlderCopy: boolean;
  /** Of every user who is in the source and here. */
  balances: UserBalance[];
  now: number;
}

const maxExamples = 5;

export function createTally(table: TakenTable): Tally {
  const report: TableReport = { table, read: 0, taken: 0, changed: 0, present: 0, skipped: 0, notes: [] };
  function note(reason: TakeoverReason, name: string): void {
    let known = report.notes.find((candidate) => candidate.reason === reason);
    if (!known) {
      known = { reason, count: 0, examples: [] };
      report.notes.push(known);
    }
    known.count++;
    if (known.examples.length < maxExamples) known.examples.push(name);
  }
  return {
    note,
    taken() {
      report.read++;
      report.taken++;
    },
    changed() {
      report.read++;
      report.changed++;
    },
    present(count = 1) {
      report.read += count;
      report.present += count;
    },
    skip(reason, name) {
      report.read++;
      report.skipped++;
      note(reason, name);
    },
    report: () => report,
  };
}

/** The id a row had, where it is free: channel pins and log rows name rows by their ids. */
export async function freeId(
  { database, transaction }: Pick<Taking, 'database' | 'transaction'>,
  table: 'users' | 'tokens' | 'channels' | 'redemptions',
  id: number,
): Promise<{ id?: number }> {
  if (!Number.isSafeInteger(id) || id <= 0) return {};
  const model = database[table] as unknown as TableModel<{ id: number }>;
  return (await model.count({ where: { id }, transaction })) > 0 ? {} : { id };
}

/** Rows with ids of their own do not move PostgreSQL's counters, and SQLite must not give out an old id again. */
export async function skipIds({ database, transaction }: Taking, table: string, highest: number): Promise<void> {
  // SQL: the counters of ids are not our table.
  const replacements = { highest, table };
  const sql =
    database.engine === 'sqlite'
      ? `UPDATE sqlite_sequence SET seq = max(seq, :highest) WHERE name = :table`
      : `SELECT setval(pg_get_serial_sequence(:table, 'id'),
           greatest(:highest, (SELECT coalesce(max(id), 1) FROM ${table}), 1))`;
  await database.sequelize.query(sql, { replacements, transaction });
}

/** What was used before has no log rows here: kept as a sum, as for logs that were cleared. */
export async function keepUsed(
  { database, transaction }: Taking,
  subject: 'user' | 'token' | 'channel',
  id: number,
  quota: number,
): Promise<void> {
  if (quota === 0) return;
  // SQL: an upsert that adds, in a table of the ledger.
  await database.sequelize.query(
    `INSERT INTO unlogged_sums (subject, subject_id, quota) VALUES (:subject, :id, :quota)
     ON CONFLICT (subject, subject_id) DO UPDATE SET quota = unlogged_sums.quota + excluded.quota`,
    { replacements: { subject, id, quota }, transaction },
  );
}
