import type { Database } from '../database/connect.ts';

/** A row of `job_locks`: who runs the job, a number that grows while they live, and when it was last started. */
export interface JobLock {
  name: string;
  /** Empty = nobody. */
  owner: string;
  until: number;
  /** Unix seconds. */
  ran_at: number;
}

export interface JobLocks {
  /** All rows; a job that never ran anywhere gets one that says it was started now. */
  read(names: string[]): Promise<{ now: number; locks: Map<string, JobLock> }>;
  /** Takes the lock if its row is still the one that was seen. */
  take(seen: JobLock, owner: string): Promise<boolean>;
  /** Shows that the owner lives; false when somebody else has taken the lock. */
  beat(name: string, owner: string): Promise<boolean>;
  free(name: string, owner: string): Promise<void>;
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
  const own = database.engine === 'sqlite' ? 'unixepoch()' : 'extract(epoch FROM now())::bigint';
  const nowSql = dependencies.nowSql ?? (() => own);

  async function change(sql: string, replacements: Record<string, unknown>): Promise<boolean> {
    const rows = await database.select(`${sql} RETURNING name`, replacements);
    return rows.length > 0;
  }

  return {
    async read(names) {
      const [clock] = await database.select<{ now: number }>(`SELECT ${nowSql()} AS now`);
      const rows = await database.select<JobLock>('SELECT name, owner, until, ran_at FROM job_locks');
      const locks = new Map(rows.map((row) => [row.name, row]));
      const now = clock?.now ?? 0;
      for (const name of names.filter((known) => !locks.has(known))) {
        const fresh = { name, owner: '', until: 0, ran_at: now };
        await database.sequelize.query(
          `INSERT INTO job_locks (name, owner, until, ran_at) VALUES (:name, :owner, :until, :ran_at)
           ON CONFLICT (name) DO NOTHING`,
          { replacements: fresh },
        );
        locks.set(name, fresh);
      }
      return { now, locks };
    },
    take: (seen, owner) =>
      change(
        `UPDATE job_locks SET owner = :taker, until = ${nowSql()} + ${leaseSeconds}, ran_at = ${nowSql()}
         WHERE name = :name AND owner = :owner AND until = :until AND ran_at = :ran_at`,
        { ...seen, taker: owner },
      ),
    beat: (name, owner) =>
      change(
        // Grows in any case, also when the clock was set back meanwhile.
        `UPDATE job_locks SET until = CASE WHEN until < ${nowSql()} + ${leaseSeconds}
           THEN ${nowSql()} + ${leaseSeconds} ELSE until + 1 END
         WHERE name = :name AND owner = :owner`,
        { name, owner },
      ),
    async free(name, owner) {
      await change("UPDATE job_locks SET owner = '' WHERE name = :name AND owner = :owner", { name, owner });
    },
  };
}
