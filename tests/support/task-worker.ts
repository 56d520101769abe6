import { writeSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { type App, createApp } from '../../core/app.ts';
import { loadConfig } from '../../core/config.ts';
import { createGateway } from '../../core/gateway.ts';
import { killAtStatement } from './kill-at-statement.ts';

/** The one argument of the process, as JSON. */
export interface TaskWorkerOrder {
  environment: Record<string, string>;
  /** `serve`: takes calls. `serveAndPoll`: and asks vendors about every open job without a rest. `pollOnce`: only that, once. */
  work: 'serve' | 'serveAndPoll' | 'pollOnce';
  /** Ends itself with SIGKILL instead of sending this statement, counted from the moment it is ready; 1 = the first. */
  killAt?: number;
}

const pauseMs = 30;

// Written synchronously: what was said before a SIGKILL has arrived.
function say(message: object): void {
  writeSync(1, `${JSON.stringify(message)}\n`);
}

async function main({ environment, work, killAt }: TaskWorkerOrder): Promise<void> {
  const app = await createApp(loadConfig({}, environment), { mayMigrate: false });
  const url = work === 'pollOnce' ? '' : await serve(app);
  if (killAt !== undefined) killAtStatement(killAt);
  say({ url });
  if (work === 'serve') return;
  do {
    await poll(app).catch((error: unknown) => say({ error: String(error) }));
    await wait(pauseMs);
  } while (work === 'serveAndPoll');
  say({ done: true });
  // At once: what is done at an end is not what is killed here.
  process.exit(0);
}

async function serve(app: App): Promise<string> {
  const gateway = await createGateway(app, { overloadLimits: { loopDelayMs: 60_000 } });
  return `http://127.0.0.1:${await gateway.listen('127.0.0.1', 0)}`;
}

/** All that is under way is due, if the test has not made it so. */
async function poll({ database, services }: App): Promise<void> {
  const late = "status NOT IN ('SUCCESS', 'FAILURE') AND next_poll_at > 0";
  const [open] = await database.select(`SELECT 1 AS one FROM tasks WHERE ${late} LIMIT 1`);
  if (open) await database.sequelize.query(`UPDATE tasks SET next_poll_at = 0 WHERE ${late}`);
  await services.taskProgress.poll();
}

void main(JSON.parse(process.argv[2] ?? '{}') as TaskWorkerOrder);
