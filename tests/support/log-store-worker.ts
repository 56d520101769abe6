import type { Config } from '../../core/config.ts';
import { connect, withLogHome } from '../../core/database/connect.ts';
import { createLogStore } from '../../core/database/log-store.ts';
import { systemActor } from '../../core/schemas/actor.ts';
import { createAuditService } from '../../core/services/audit.ts';
import { removeBefore } from '../../core/services/log/drop-part.ts';
import { archiveLogs } from '../../core/services/log-archive/archive.ts';
import { bringBack } from '../../core/services/log-store/bring-back.ts';
import { homeOfLogs } from '../../core/services/log-store/home.ts';
import { moveLogs } from '../../core/services/log-store/move.ts';
import { migrations } from '../../migrations/index.ts';

/** The one argument of the process, as JSON. */
export interface LogStoreOrder {
  main: Config['database'];
  logs: Config['database'];
  task:
    | { name: 'move' | 'bring-back' }
    | { name: 'clear'; before: number }
    | { name: 'archive'; before: number; folder: string };
  /** Ends itself with SIGKILL the n-th time it comes by any place; 0 = never. */
  killAt: number;
}

void run(JSON.parse(process.argv[2] ?? '{}') as LogStoreOrder);

async function run({ main: target, logs: logTarget, task, killAt }: LogStoreOrder): Promise<void> {
  const main = await connect(target);
  const store = createLogStore({ main, target: logTarget, migrations });
  const database = withLogHome(main, store.homeOf);
  let times = 0;
  const killPoint = () => {
    if (++times === killAt) process.kill(process.pid, 'SIGKILL');
  };
  const audit = createAuditService({ database: main });
  if (task.name === 'move') await moveLogs({ main: database, logs: await store.open(), killPoint });
  if (task.name === 'clear') await removeBefore(await homeOfLogs(database, killPoint), task.before, {});
  if (task.name === 'bring-back') await bringBack(systemActor, { main, logs: await store.open(), audit, killPoint });
  if (task.name === 'archive') await archiveLogs(systemActor, { database, audit }, { ...task, keep: false, killPoint });
  await store.close();
  await main.close();
}
