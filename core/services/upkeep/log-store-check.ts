import type { Config } from '../../config.ts';
import { connect } from '../../database/connect.ts';
import { createLogStore, type LogPhase, readLogStore } from '../../database/log-store.ts';
import type { Migration } from '../../database/migrate.ts';
import { AppError } from '../../errors/app-error.ts';

export interface LogStoreFinding {
  /** Undefined before a server has taken it into use. */
  phase: LogPhase | undefined;
  /** Why it cannot be used now. */
  fault: AppError | undefined;
  /** Rows that are in the main database. */
  waiting: number;
  /** While it is filled: how many of them it has. */
  copied: number;
}

/** How far the log is on its way to the log database. */
export async function examineLogStore(
  { database, logDatabase }: Pick<Config, 'database' | 'logDatabase'>,
  migrations: Migration[],
): Promise<LogStoreFinding> {
  const main = await connect(database, 1);
  const store = createLogStore({ main, target: logDatabase, migrations });
  try {
    const state = await readLogStore(main);
    const fault = await store.open().then(
      () => undefined,
      (error: unknown) => {
        if (error instanceof AppError) return error;
        throw error;
      },
    );
    const waiting = await main.logs.count();
    const copied = state?.phase === 'filling' && !fault ? await (await store.open()).logs.count() : 0;
    return { phase: state?.phase, fault, waiting, copied };
  } finally {
    await store.close();
    await main.close();
  }
}
