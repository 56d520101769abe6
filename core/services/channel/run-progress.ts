import type { Database } from '../../database/connect.ts';
import { type Clock, nowSeconds } from '../../lib/clock.ts';

interface RunProgressDependencies {
  database: Database;
  /** Whether any process has the right to this run at the moment. */
  isTaken(name: string): Promise<boolean>;
  now?: Clock;
}

export interface RunState<R> {
  running: boolean;
  /** Of the run under way, or of the last one; undefined before the first. */
  report: R | undefined;
}

export type RunProgress = ReturnType<typeof createRunProgress>;

/** How far a run has come, for every process that is asked: it is in the database, as the right to the run does. */
export function createRunProgress({ database, isTaken, now = nowSeconds }: RunProgressDependencies) {
  return {
    async write(name: string, report: object): Promise<void> {
      await database.runProgress.upsert({ name, report: JSON.stringify(report), updated_at: now() });
    },
    async read<R>(name: string): Promise<RunState<R>> {
      // First whether it runs: a run that ends in between has written its last report by then.
      const running = await isTaken(name);
      const row = await database.runProgress.findByPk(name, { raw: true });
      return { running, report: row ? (JSON.parse(row.report) as R) : undefined };
    },
  };
}
