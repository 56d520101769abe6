import { literal } from 'sequelize';
import type { Database } from '../database/connect.ts';
import type { JobLockRow } from '../database/models/job.ts';
import { isGone } from './lock-owner.ts';

/** Columns, and what they become: a value or SQL. */
type JobLockChange = { [Name in keyof JobLockRow]?: JobLockRow[Name] | ReturnType<typeof literal> };

export interface JobLocks {
  /** All rows; a job that never ran anywhere gets one that says it was started now. */
  read(names: string[]): Promise<{ now: number; locks: Map<string, JobLockRow> }>;
  /** Takes the lock if its row is still the one that was seen; resolves with what the row became. */
  take(seen: JobLockRow, owner: string): Promise<JobLockRow | undefined>;
  /** Shows that the owner lives; false when another process has taken the lock. */
  beat(name: string, owner: string): Promise<boolean>;
  free(name: string, owner: string): Promise<void>;
  /** Whether an owner is known to be gone before its lease ends. Only one machine has a SQLite file open, and it knows its processes. */
  isGone(owner: string): boolean;
}

interface JobLockDependencies {
  database: Database;
  leaseSeconds: number;
  /** SQL of unix seconds; the database's own clock unless told otherwise. */
  nowSql?: () => string;
}

/**
 * Every change is one conditional statement, so of two processes that see the same row only one gets it. Times in the rows are
 * for people and for intervals; who is dead is never decided by comparing them with a clock (see the scheduler).
 */
export function createJobLocks(dependencies: JobLockDependencies): JobLocks {
  const { database, leaseSeconds } = dependencies;
  const { jobLocks } = database;
  const own = database.engine === 'sqlite' ? 'unixepoch()' : 'extract(epoch FROM now())::bigint';
  const nowSql = dependencies.nowSql ?? (() => own);

  const inLease = () => `${nowSql()} + ${leaseSeconds}`;

  async function change(values: JobLockChange, where: Partial<JobLockRow>): Promise<boolean> {
    const [count] = await jobLocks.update(values, { where });
    return count > 0;
  }

  return {
    async read(names) {
      // SQL: no table is read.
      const [clock] = await database.select<{ now: number }>(`SELECT ${nowSql()} AS now`);
      const rows: JobLockRow[] = await jobLocks.findAll({ raw: true });
      const locks = new Map(rows.map((row) => [row.name, row]));
      const now = clock?.now ?? 0;
      for (const name of names.filter((known) => !locks.has(known))) {
        const fresh = { name, owner: '', until: 0, ran_at: now };
        await jobLocks.bulkCreate([fresh], { ignoreDuplicates: true });
        locks.set(name, fresh);
      }
      return { now, locks };
    },
    async take(seen, owner) {
      // SQL: what the row became is known only by RETURNING.
      const [taken] = await database.select<JobLockRow>(
        `UPDATE job_locks SET owner = :taker, until = ${inLease()}, ran_at = ${nowSql()}
         WHERE name = :name AND owner = :owner AND until = :until AND ran_at = :ran_at RETURNING name, owner, until, ran_at`,
        { ...seen, taker: owner },
      );
      return taken;
    },
    beat: (name, owner) =>
      // Grows in any case, also when the clock was set back meanwhile.
      change(
        { until: literal(`CASE WHEN until < ${inLease()} THEN ${inLease()} ELSE until + 1 END`) },
        { name, owner },
      ),
    async free(name, owner) {
      await change({ owner: '' }, { name, owner });
    },
    isGone: (owner) => database.engine === 'sqlite' && isGone(owner),
  };
}
