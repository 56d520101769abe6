import { type CallShape, plainShape } from './calls.ts';
import { accessToken, type ClusterStand } from './cluster-stand.ts';
import type { LoadPlan, LoadResult } from './load-plan.ts';
import { median } from './rounds.ts';

export interface ExactFigure {
  name: string;
  wanted: number;
  found: number;
  detail?: string;
}

/** Quota units of a call with the fixed price below: 0.002 dollars. */
const priceUnits = 1000;
const model = 'gpt-4o-mini';

/** Four nodes behind one address, more calls at a time than each limit allows. */
export async function exactLimits(stand: ClusterStand, progress: (text: string) => void): Promise<ExactFigure[]> {
  progress('a setting on four nodes');
  const setting = await settingDelay(stand);
  progress('balance, calls a minute and concurrent calls on four nodes');
  const { gateway } = stand;
  await gateway.run(['option', 'set', 'ModelPrice', JSON.stringify({ [model]: 0.002 })]);
  const poor = await newKey(stand, 'poor', 50 * priceUnits);
  const balance = await callAtOnce(stand, { key: poor, count: 200, shape: plainShape });
  const rich = await newKey(stand, 'rich', 100_000 * priceUnits);
  await gateway.run(['option', 'set', 'TokenRequestRateLimitCount', '60']);
  const rate = await callAtOnce(stand, { key: rich, count: 200, shape: plainShape });
  await gateway.run(['option', 'reset', 'TokenRequestRateLimitCount', '--yes']);
  const wide = await newKey(stand, 'wide', 100_000 * priceUnits);
  await gateway.run(['option', 'set', 'TokenConcurrencyLimit', '12']);
  const concurrent = await callAtOnce(stand, { key: wide, count: 100, shape: { chunks: 8, everyMs: 1000 } });
  await gateway.run(['option', 'reset', 'TokenConcurrencyLimit', '--yes']);
  return [
    { name: 'balance for 50 calls, 200 at once', wanted: 50, found: balance },
    { name: '60 calls a minute, 200 at once', wanted: 60, found: rate },
    { name: '12 concurrent calls, 100 at once', wanted: 12, found: concurrent },
    setting,
  ];
}

async function newKey({ gateway }: ClusterStand, name: string, units: number): Promise<string> {
  await gateway.run(['user', 'create', '--name', name, '--password-stdin'], 'correct horse battery\n');
  await gateway.run(['user', 'quota', name, '--add', String(units), '--yes']);
  const made = await gateway.run(['token', 'create', '--user', name, '--name', name, '--unlimited', '--json']);
  const { key } = JSON.parse(made) as { key: string };
  return key.startsWith('sk-') ? key : `sk-${key}`;
}

async function callAtOnce(
  { generator, sides }: ClusterStand,
  { key, count, shape }: { key: string; count: number; shape: CallShape },
): Promise<number> {
  const four = sides.find(({ name }) => name === '4 nodes');
  const pace = { kind: 'hold', streams: count, rampMs: 100 } as const;
  const plan: LoadPlan = { port: Number(new URL(four?.front.url ?? '').port), key, shape, pace };
  return (await generator.ask<LoadResult>(plan)).right;
}

/** From the response to the change on one node until all four show it. */
async function settingDelay({ sides }: ClusterStand): Promise<ExactFigure> {
  const nodes = sides.find(({ name }) => name === '4 nodes')?.servers ?? [];
  const urls = nodes.map(({ port }) => `http://127.0.0.1:${port}`);
  const delays: number[] = [];
  const rounds = 20;
  for (let round = 0; round < rounds; round += 1) {
    const name = `bench ${round}`;
    const response = await fetch(`${urls[round % urls.length]}/api/option/`, {
      method: 'PUT',
      headers: { authorization: accessToken, 'new-api-user': '1', 'content-type': 'application/json' },
      body: JSON.stringify({ key: 'SystemName', value: name }),
    });
    if (!response.ok) throw new Error(`the setting was refused: ${await response.text()}`);
    const changedAt = performance.now();
    await Promise.all(urls.map((url) => untilShown(url, name)));
    delays.push(performance.now() - changedAt);
  }
  const detail = `median ${median(delays).toFixed(0)} ms, worst ${Math.max(...delays).toFixed(0)} ms`;
  const found = delays.filter((delay) => delay < 1000).length;
  return { name: 'a setting in force on all nodes within a second', wanted: rounds, found, detail };
}

async function untilShown(url: string, name: string): Promise<void> {
  for (;;) {
    const { data } = (await (await fetch(`${url}/api/status`)).json()) as { data: { system_name: string } };
    if (data.system_name === name) return;
  }
}
