import { setTimeout as wait } from 'node:timers/promises';
import type { Settlement } from '../../core/billing/settlement.ts';
import { newRequestId } from '../../core/lib/request-id.ts';
import { systemActor } from '../../core/schemas/actor.ts';
import { askedUsage, callOnce, emptyResult } from '../support/call-load.ts';
import { startGateway, type TestGateway } from '../support/start-gateway.ts';
import type { Engine } from '../support/temporary-database.ts';
import { databaseBytes, type ListFigure, quantile, readLists, rollUpAll, withSql } from './list-figures.ts';
import { addOldMonths, bill, seedDays, seedLogs } from './list-seed.ts';
import { cpuSeconds } from './process-meter.ts';

/** What the log does as it grows, all in one run, so that figures of one table can be compared. */
export interface GrowthFigures {
  /**
   * Per paid call: hold, settlement with its log row, hourly sum. `cpu`: microseconds of processor time of Tollgate and its database,
   * which others on the machine change little; `wall`: with as many at a time as a busy server has.
   */
  rows: { before: number; cpu: number; wall: number; bytes: number }[];
  lists: ListFigure[];
  /** Milliseconds of calls beside nothing, and while rows are deleted. */
  calls: { beside: string; p50: number; p99: number; calls: number; deleted: number }[];
}

interface GrowthPlan {
  engine: Engine;
  /** Of the full log. */
  rows: number;
  /** Settlements at each stop. */
  settled: number;
  rounds: number;
  seconds: number;
}

const stops = [0, 0.05, 0.25, 0.5, 1];
const daySeconds = 86_400;

export async function growthFigures(plan: GrowthPlan, progress: (text: string) => void): Promise<GrowthFigures> {
  const gateway = await startGateway(plan.engine);
  try {
    const until = Math.floor(Date.now() / 1000);
    await addPayers(gateway);
    await withSql(gateway, (context) => addOldMonths(context, until));
    const figures: GrowthFigures = { rows: [], lists: [], calls: [] };
    let filled = 0;
    for (const stop of stops) {
      const target = Math.round(plan.rows * stop);
      progress(`filling up to ${target} log rows on ${plan.engine}`);
      await withSql(gateway, (context) => seedLogs(context, { rows: plan.rows, until, from: filled, to: target }));
      filled = target;
      await untilServing(gateway);
      await settleMany(gateway, plan.settled / 10);
      const tries: Awaited<ReturnType<typeof settleMany>>[] = [];
      while (tries.length < 5) tries.push(await settleMany(gateway, plan.settled / 5));
      const middle = (name: 'cpu' | 'wall') =>
        quantile(
          tries.map((one) => one[name]),
          0.5,
        );
      const bytes = await databaseBytes(gateway);
      figures.rows.push({ before: target, cpu: middle('cpu'), wall: middle('wall'), bytes });
      progress(JSON.stringify(figures.rows.at(-1)));
    }
    await rollUpAll(gateway, progress);
    progress('reading lists');
    figures.lists = await readLists(gateway, until, plan.rounds);
    progress('calls while rows are deleted');
    figures.calls = await callsBesideDeletion(gateway, plan);
    return figures;
  } finally {
    await gateway.stop();
  }
}

const users = 300;
const tokens = 3000;
/** The accounts that the tests' own gateway made come before. */
const firstId = 100;

async function addPayers({ app }: TestGateway): Promise<void> {
  const values = (count: number, row: (n: number) => string) => Array.from({ length: count }, (_, n) => row(n)).join();
  const { sequelize } = app.database;
  const user = (n: number) => `(${firstId + n}, 'payer${n}', 'payer${n}', 'x', 1000000000000)`;
  await sequelize.query(
    `INSERT INTO users (id, username, username_key, password, quota) VALUES ${values(users, user)}`,
  );
  const token = (n: number) => `(${firstId + n}, ${firstId + (n % users)}, 'hash${n}', 'token-${n}', 1000000000000)`;
  await sequelize.query(
    `INSERT INTO tokens (id, user_id, key_hash, name, remain_quota) VALUES ${values(tokens, token)}`,
  );
}

/** The filling kept SQLite's one writer for minutes: the ledger sees an outage, and looks a little later. */
async function untilServing({ app }: TestGateway): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    const call = { id: newRequestId(), userId: firstId, tokenId: firstId };
    const held = await app.ledger.hold({ ...call, amount: 1 }).catch(() => undefined);
    if (held?.ok) return app.ledger.release({ ...call, held: 1 });
    await wait(500);
  }
  throw new Error('the ledger did not come back');
}

/** Microseconds of this process, and of the server's processes that the ledger is connected to. */
async function cpuMicroseconds({ app }: TestGateway): Promise<number> {
  const { user, system } = process.cpuUsage();
  if (app.database.engine === 'sqlite') return user + system;
  const backends = await app.database.select<{ pid: number }>(
    "SELECT pid FROM pg_stat_activity WHERE application_name = 'tollgate-ledger' AND datname = current_database()",
  );
  return backends.reduce((sum, { pid }) => sum + cpuSeconds(pid) * 1e6, user + system);
}

async function settleMany(gateway: TestGateway, count: number): Promise<{ cpu: number; wall: number }> {
  const { app } = gateway;
  let begun = 0;
  const cpuBefore = await cpuMicroseconds(gateway);
  const startedAt = performance.now();
  const lane = async () => {
    while (begun < count) {
      const n = (begun++ * 7919) % tokens;
      const call = { id: newRequestId(), userId: firstId + (n % users), tokenId: firstId + n };
      const held = await app.ledger.hold({ ...call, amount: 100 });
      if (!held.ok) throw new Error('a hold was refused');
      await app.ledger.settle({ ...settlementOf({ ...call, channelId: 1, actual: 42 }, n), held: 100 });
    }
  };
  await Promise.all(Array.from({ length: 64 }, lane));
  const wall = ((performance.now() - startedAt) * 1000) / count;
  return { cpu: ((await cpuMicroseconds(gateway)) - cpuBefore) / count, wall };
}

function settlementOf(
  call: Pick<Settlement, 'id' | 'userId' | 'tokenId' | 'channelId' | 'actual'>,
  n: number,
): Settlement {
  const seconds = Math.floor(Date.now() / 1000);
  const [username, model_name] = [`payer${n % users}`, `model-${n % 60}`];
  const text = { content: '', username, token_name: `token-${n}`, model_name, group: 'default', other: bill };
  const figures = {
    created_at: seconds,
    prompt_tokens: 38,
    completion_tokens: 42,
    use_time: 3,
    is_stream: n % 2 === 0,
  };
  const usage = { model_name, username, hour: seconds - (seconds % 3600), token_used: 80 };
  return { ...call, accessedAt: seconds, log: { ...text, ...figures }, usage };
}

async function callsBesideDeletion(gateway: TestGateway, { seconds }: GrowthPlan): Promise<GrowthFigures['calls']> {
  const { services } = gateway.app;
  gateway.upstream.always(askedUsage(0));
  const oldest = Math.floor(Date.now() / 1000) - seedDays * daySeconds;
  const clear = async (stopped: () => boolean) => {
    let deleted = 0;
    const stop = new Error('stopped');
    const input = { target_timestamp: oldest + 30 * daySeconds, dry_run: false };
    const onProgress = (count: number) => {
      deleted = count;
      if (stopped()) throw stop;
    };
    await services.logs.clear(systemActor, input, onProgress).catch((error: unknown) => {
      if (error !== stop) throw error;
    });
    return deleted;
  };
  const retain = async (stopped: () => boolean) => {
    const stopping = new AbortController();
    const timer = setInterval(() => stopped() && stopping.abort(), 20);
    return services.logs.retain(45, stopping.signal).finally(() => clearInterval(timer));
  };
  const figures: GrowthFigures['calls'] = [];
  for (const [beside, work] of [
    ['nothing', async () => 0],
    ['clearing', clear],
    ['nothing', async () => 0],
    ['retention', retain],
    ['nothing', async () => 0],
  ] as const) {
    const endsAt = performance.now() + seconds * 1000;
    const stopped = () => performance.now() > endsAt;
    const [times, deleted] = await Promise.all([callSteadily(gateway, stopped), work(stopped)]);
    figures.push({ beside, p50: quantile(times, 0.5), p99: quantile(times, 0.99), calls: times.length, deleted });
  }
  return figures;
}

/** Some forty calls a second, which leaves the machine room: what is measured is waiting, not the processor. */
async function callSteadily({ url, key }: TestGateway, stopped: () => boolean): Promise<number[]> {
  const times: number[] = [];
  const result = emptyResult();
  const client = async () => {
    while (!stopped()) {
      const startedAt = performance.now();
      await callOnce({ url, key }, result);
      times.push(performance.now() - startedAt);
      await wait(180);
    }
  };
  await Promise.all(Array.from({ length: 8 }, client));
  if (result.failed.length > 0) throw new Error(`calls failed: ${JSON.stringify(result.failed.slice(0, 5))}`);
  return times;
}

export function renderGrowth({ rows, lists, calls }: GrowthFigures): string {
  const first = rows[0]?.cpu ?? Number.NaN;
  return [
    ...rows.map(
      ({ before, cpu, wall, bytes }) =>
        `${String(before).padStart(10)} rows: ${cpu.toFixed(0)} µs of CPU per call (${(cpu / first).toFixed(2)} x), ${wall.toFixed(0)} µs, ${(bytes / 2 ** 30).toFixed(1)} GiB`,
    ),
    '',
    ...lists.map(
      ({ name, median, p95 }) => `${name.padEnd(52)} ${median.toFixed(1).padStart(8)} ${p95.toFixed(1).padStart(8)}`,
    ),
    '',
    ...calls.map(
      ({ beside, p50, p99, calls: count, deleted }) =>
        `calls beside ${beside}: p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms of ${count}; ${deleted} rows deleted`,
    ),
    '',
  ].join('\n');
}
