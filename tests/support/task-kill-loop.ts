import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'vitest';
import type { TestGateway } from './start-gateway.ts';
import { startTaskWorker } from './start-task-worker.ts';
import { startTaskVendors, submissions, takenId, type VendorJob, type VendorName } from './task-vendors.ts';

export interface TaskKillFigures {
  kills: number;
  /** Jobs that a client was told of. */
  acknowledged: number;
  succeeded: number;
  failed: number;
  /** Acknowledged, and without a row. */
  lost: number;
  /** Rows, charges and refunds beyond one for each job. */
  doubled: number;
  /** Failed and not refunded, or refunded and not failed, or ended otherwise than at the vendor. */
  wrongEnds: number;
  /** Differences that `ledger verify` found, after each kill and at the end, and balances that are not what the rows say. */
  wrongSums: number;
  openHolds: number;
  /** Taken by a vendor while the server died: nothing was charged for them. */
  uncharged: number;
}

interface Plan {
  kills: number;
  clients: number;
}

const names: VendorName[] = ['drawing', 'song', 'video'];
/** About half of the jobs fail, each after it was asked about one to three times. */
const fate = ({ id, asked }: VendorJob) => {
  const number = [...id].reduce((sum, sign) => sum + sign.charCodeAt(0), 0);
  if (asked <= number % 3) return 'running';
  return number % 2 === 0 ? 'failed' : 'succeeded';
};

/**
 * Clients submit jobs of all kinds to a server whose poller never rests; it is killed at random moments and started again on the same
 * data. The gateway of the test looks on, and does what a second node would do in the end.
 */
export async function runTaskKillLoop(gateway: TestGateway, { kills, clients }: Plan): Promise<TaskKillFigures> {
  const { jobs, channels } = startTaskVendors(gateway.upstream, fate);
  for (const name of names) await gateway.addChannel({ ...channels[name], name });
  const userId = await gateway.addUser('buyer', 1_000_000_000_000);
  const key = await gateway.addToken(userId, { unlimited_quota: false, remain_quota: 500_000_000_000 });
  const seen: string[] = [];
  let url: string | undefined;
  let isOver = false;
  let wrongSums = 0;

  async function submit(): Promise<void> {
    const name = names[Math.floor(Math.random() * names.length)] ?? 'song';
    const { path, body } = submissions[name];
    try {
      if (url === undefined) throw new Error('no server yet');
      const response = await fetch(url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
        body: JSON.stringify(body),
      });
      const taken: unknown = await response.json();
      if (response.status === 200) seen.push(takenId(name, taken));
    } catch {
      // No response, or one that broke off: the client does not know what became of its job.
      await wait(20);
    }
  }

  const buying = Promise.all(
    Array.from({ length: clients }, async () => {
      while (!isOver) await submit();
    }),
  );
  try {
    for (let kill = 0; kill < kills; kill += 1) {
      const worker = await startTaskWorker({ environment: gateway.environment, work: 'serveAndPoll' });
      const before = seen.length;
      url = worker.url;
      await expect.poll(() => seen.length, { timeout: 60_000, interval: 5 }).toBeGreaterThan(before);
      await wait(Math.random() * 500);
      worker.kill();
      await worker.ended;
      wrongSums += (await gateway.app.ledger.verify()).differenceCount;
    }
  } finally {
    isOver = true;
    await buying;
  }
  await finish(gateway);
  return { kills, ...(await compare(gateway, { jobs, seen, userId, wrongSums })) };
}

/** Holds of the dead are returned, and the vendors are asked until every job is over. */
async function finish({ app }: TestGateway): Promise<void> {
  await app.database.sequelize.query(`UPDATE ledger_owners SET seen_at = seen_at - 100 WHERE pid <> ${process.pid}`);
  await app.ledger.sweep();
  const rest = async () => {
    await app.database.sequelize.query('UPDATE tasks SET next_poll_at = 0');
    await app.services.taskProgress.poll();
    return app.database.select("SELECT id FROM tasks WHERE status NOT IN ('SUCCESS', 'FAILURE')");
  };
  await expect.poll(rest, { timeout: 120_000, interval: 5 }).toEqual([]);
}

interface Outcome {
  jobs: VendorJob[];
  seen: string[];
  userId: number;
  wrongSums: number;
}

async function compare({ app }: TestGateway, { jobs, seen, userId, wrongSums }: Outcome) {
  const rows = await app.database.select<{ request_id: string; task_id: string; status: string; quota: number }>(
    'SELECT request_id, task_id, status, quota FROM tasks',
  );
  const refs = (
    await app.database.select<{ ref: string }>("SELECT ref FROM quota_entries WHERE kind = 'task_refund'")
  ).map(({ ref }) => ref);
  const charged = (await app.database.select<{ id: string }>('SELECT request_id AS id FROM logs WHERE type = 2')).map(
    ({ id }) => id,
  );
  const receipts = await app.database.select(
    "SELECT id FROM logs WHERE type = 4 AND content LIKE '%log.taskRefunded%'",
  );
  const refunded = new Set(refs);
  const states = new Map(jobs.map(({ id, state }) => [id, state]));
  const ends = { SUCCESS: 'succeeded', FAILURE: 'failed' } as Record<string, string>;
  const paid = rows.filter(({ status }) => status === 'SUCCESS').reduce((sum, { quota }) => sum + Number(quota), 0);
  const [user, token] = [
    await app.database.users.findByPk(userId),
    await app.database.tokens.findOne({ where: { user_id: userId } }),
  ];
  const balances = [
    [user?.quota, 1_000_000_000_000 - paid],
    [user?.used_quota, paid],
    [token?.remain_quota, 500_000_000_000 - paid],
    [token?.used_quota, paid],
  ];
  const [holds] = await app.database.select<{ count: number }>(
    'SELECT count(*) AS count FROM quota_holds WHERE state = 0',
  );
  const known = new Set(rows.map(({ task_id }) => task_id));
  return {
    acknowledged: seen.length,
    succeeded: rows.filter(({ status }) => status === 'SUCCESS').length,
    failed: rows.filter(({ status }) => status === 'FAILURE').length,
    lost: seen.filter((id) => !known.has(id)).length,
    doubled:
      rows.length -
      known.size +
      refs.length -
      refunded.size +
      Math.abs(charged.length - rows.length) +
      Math.abs(receipts.length - refs.length),
    wrongEnds: rows.filter(
      ({ request_id, task_id, status }) =>
        ends[status] !== states.get(task_id) || (status === 'FAILURE') !== refunded.has(request_id),
    ).length,
    wrongSums:
      wrongSums +
      (await app.ledger.verify()).differenceCount +
      balances.filter(([is, ought]) => Number(is) !== ought).length,
    openHolds: Number(holds?.count),
    uncharged: jobs.filter(({ id }) => !known.has(id)).length,
  };
}
