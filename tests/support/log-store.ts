import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { verifyLedger } from '../../core/billing/verify-ledger.ts';
import type { Config } from '../../core/config.ts';
import { connect, type Database, withLogHome } from '../../core/database/connect.ts';
import { createLogStore, type LogStore } from '../../core/database/log-store.ts';
import { moveLogs } from '../../core/services/log-store/move.ts';
import { migrations } from '../../migrations/index.ts';
import { compiledWorker } from './compiled-worker.ts';
import type { LogStoreOrder } from './log-store-worker.ts';
import {
  createMigratedTarget,
  createTemporaryTarget,
  type Engine,
  type TemporaryDatabase,
} from './temporary-database.ts';

export type EnginePair = [main: Engine, logs: Engine];
/** Every pair that is allowed. */
export const enginePairs: EnginePair[] = [
  ['sqlite', 'sqlite'],
  ['sqlite', 'postgres'],
  ['postgres', 'postgres'],
];

/** A main database, of which `database` finds its log in a second one. */
export interface LogStoreBed extends TemporaryDatabase {
  logTarget: Config['database'];
  store: LogStore;
  /** The log database, once it is in use. */
  logs(): Promise<Database>;
  /** Moves until nothing waits. */
  moveAll(): Promise<void>;
  /** From an empty log to one that is read in the log database. */
  takeIntoUse(): Promise<void>;
  verify(): ReturnType<typeof verifyLedger>;
  /** Does the work in another process, which may end itself. */
  work(task: LogStoreOrder['task'], killAt?: number): Promise<NodeJS.Signals | null>;
}

export async function createLogStoreBed([mainEngine, logEngine]: EnginePair): Promise<LogStoreBed> {
  const place = await createMigratedTarget(mainEngine);
  const logPlace = await createTemporaryTarget(logEngine);
  const logTarget: Config['database'] =
    logPlace.target.engine === 'sqlite'
      ? { engine: 'sqlite', file: join(place.directory, 'logs.db') }
      : logPlace.target;
  const main = await connect(place.target);
  const store = createLogStore({ main, target: logTarget, migrations });
  const database = withLogHome(main, store.homeOf);

  const bed: LogStoreBed = {
    database,
    target: place.target,
    directory: place.directory,
    logTarget,
    store,
    logs: store.open,
    async moveAll() {
      const logs = await store.open();
      // What has just been taken into use keeps its rows for some seconds.
      await main.sequelize.query('UPDATE log_store SET changed_at = changed_at - 60');
      for (let idle = 0; idle < 2; ) {
        await moveLogs({ main: database, logs });
        const [left] = await main.select<{ count: number }>('SELECT count(*) AS count FROM logs');
        await main.sequelize.query('UPDATE log_store SET changed_at = changed_at - 60');
        idle = Number(left?.count) === 0 ? idle + 1 : 0;
      }
    },
    async takeIntoUse() {
      await store.begin();
      await bed.moveAll();
    },
    verify: () => verifyLedger(place.target, { logDatabase: logTarget }),
    async work(task, killAt = 0) {
      const order: LogStoreOrder = { main: place.target, logs: logTarget, task, killAt };
      const child = spawn(process.execPath, [compiledWorker('tests/support/log-store-worker'), JSON.stringify(order)], {
        stdio: ['ignore', 'inherit', 'inherit'],
      });
      const [, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
      return signal;
    },
    async remove() {
      await store.close();
      await main.close();
      await place.remove();
      await logPlace.remove();
    },
  };
  return bed;
}
