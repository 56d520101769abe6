import { writeSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { createLedger } from '../../core/billing/ledger.ts';
import type { Config } from '../../core/config.ts';
import { newRequestId } from '../../core/lib/request-id.ts';
import { settlementOf } from './ledger-books.ts';
import { type LoadPlan, runLoad } from './ledger-load.ts';

/** The one argument of the process, as JSON. */
export interface WorkerOrder {
  database: Config['database'];
  directory: string;
  task:
    | ({ name: 'load' } & LoadPlan)
    | { name: 'rush'; userId: number; tokenId: number; holds: number; amount: number }
    | {
        name: 'settle';
        id: string;
        userId: number;
        tokenId: number;
        channelId: number;
        actual: number;
        thinkMs: number;
        budgets?: string;
      };
  /** Ends itself with SIGKILL the n-th time it comes by. */
  killAt?: { point: string; time: number };
}

// One JSON line per message, written synchronously: what was said before a SIGKILL has arrived.
function say(message: object): void {
  writeSync(1, `${JSON.stringify(message)}\n`);
}

async function main(order: WorkerOrder): Promise<void> {
  let times = 0;
  const ledger = await createLedger({
    database: order.database,
    dataDirectory: order.directory,
    log: () => {},
    killPoint(name) {
      if (name === order.killAt?.point && ++times === order.killAt.time) process.kill(process.pid, 'SIGKILL');
    },
  });
  const { task } = order;
  say({ ready: true });
  if (task.name === 'load') {
    await runLoad(ledger, task, () => false, say);
  } else if (task.name === 'rush') {
    const { userId, tokenId, amount } = task;
    const results = await Promise.all(
      Array.from({ length: task.holds }, () => ledger.hold({ id: newRequestId(), userId, tokenId, amount })),
    );
    say({ accepted: results.filter(({ ok }) => ok).length });
    // Alive, and so not swept, until the test has counted.
    setInterval(() => {}, 1000);
  } else {
    const { id, userId, tokenId, actual: amount, budgets } = task;
    await ledger.hold({ id, userId, tokenId, amount, ...(budgets && { budgets }) });
    say({ held: true });
    await wait(task.thinkMs);
    say({ outcome: await ledger.settle(settlementOf(task)) });
  }
}

void main(JSON.parse(process.argv[2] ?? '{}') as WorkerOrder);
