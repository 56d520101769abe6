import { existsSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { freePort, type PostgresCluster, startPostgres } from '../support/postgres.ts';
import openSharedFolder from '../support/shared-postgres.ts';
import { startAlternatives } from './alternatives.ts';
import { blockFigures } from './block-figures.ts';
import { type BenchChild, compileChildren, endAll, loopProbe, removeChildren, startChild } from './child.ts';
import { exactLimits } from './cluster-exact.ts';
import { clusterFigures, renderCluster } from './cluster-figures.ts';
import { startClusterStand } from './cluster-stand.ts';
import { compareAll, renderCompared } from './compare-figures.ts';
import { type InstalledGateway, installGateway, upstreamKey } from './gateway.ts';
import { growthFigures, renderGrowth } from './growth-figures.ts';
import { holdFigures } from './hold-figures.ts';
import { listFigures, renderLists } from './list-figures.ts';
import {
  convertedFigures,
  denseFigures,
  firstTokenFigures,
  plainFigures,
  rateFigures,
  type Stand,
} from './load-figures.ts';
import { describeMachine, type Report, renderReport, reportJson } from './report.ts';
import type { Side, Tally } from './rounds.ts';
import { startFigures } from './start-figures.ts';
import type { Figure } from './targets.ts';

const parts = ['start', 'hold', 'plain', 'dense', 'converted', 'first', 'rate', 'block'] as const;
/** Needs millions of rows instead of load, so it runs only when asked for by name, and alone. */
const lists = 'lists';
/** Needs PostgreSQL, Redis and nginx. */
const cluster = 'cluster';
/** The cost of a row as the log grows. */
const growth = 'growth';
type Part = (typeof parts)[number];

const usageText = `npm run bench -- [options]
  --quick        a fifth of the work
  --only NAME    one part: ${parts.join(', ')} (may be repeated); or alone:
                 ${lists}: times of the log's lists
                 ${growth}: a row's cost as the log grows, lists at its end, calls while rows are deleted
                 ${cluster}: 1, 2 and 4 nodes behind nginx
  --compare      beside nginx, a fastify pass-through and Portkey's gateway, which is fetched from npm for it
  --rows NUMBER  log rows for ${lists} and ${growth}, 5,000,000 when left out
  --postgres     on a PostgreSQL cluster of its own instead of SQLite
  --json FILE    the figures as JSON too
  --binary FILE  another build of Tollgate`;

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true, default: [] },
    compare: { type: 'boolean', default: false },
    postgres: { type: 'boolean', default: false },
    rows: { type: 'string', default: '5000000' },
    json: { type: 'string' },
    binary: { type: 'string', default: fileURLToPath(new URL('../../dist/bin/tollgate.cjs', import.meta.url)) },
    help: { type: 'boolean', default: false },
  },
});

// Run from the last to the first, so processes end before their files go; on success, failure and Ctrl-C alike.
const cleanUps: (() => void)[] = [removeChildren, endAll];
const cleanUp = () => {
  for (const step of cleanUps.splice(0).reverse()) step();
};
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    cleanUp();
    process.exit(130);
  });
}

try {
  if (options.help) console.log(usageText);
  else process.exitCode = await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  cleanUp();
}

async function main(): Promise<number> {
  if (options.only.join() === lists) return measureLists();
  if (options.only.join() === cluster) return measureCluster();
  if (options.only.join() === growth) return measureGrowth();
  const unknown = options.only.find((name) => !parts.includes(name as Part));
  if (unknown) throw new Error(`no part called ${unknown}\n${usageText}`);
  if (process.platform !== 'linux') throw new Error('the benchmark reads CPU and memory from /proc: it needs Linux');
  if (!existsSync(options.binary)) throw new Error(`${options.binary} is missing: npm run build`);
  const machine = describeMachine();
  compileChildren();
  const postgres = options.postgres ? await startCluster() : undefined;
  const upstream = await startChild('upstream');
  const upstreamUrl = `http://127.0.0.1:${upstream.port}`;
  const gateway = await installGateway({ binary: options.binary, upstreamUrl, sqlDsn: postgres?.url });
  cleanUps.unshift(gateway.remove);
  const tally: Tally = { right: 0, wrong: 0, firstWrong: undefined };
  const report: Report = {
    machine,
    database: postgres ? 'PostgreSQL' : 'SQLite',
    quick: options.quick,
    figures: [],
    noise: [],
  };
  if (options.compare) await measureCompared({ gateway, upstreamUrl, tally });
  if (wanted('start')) {
    progress('start, idle memory and --help');
    report.figures.push(...(await startFigures(gateway)));
  }
  report.figures.push(...(await underLoad({ gateway, upstreamUrl, tally, noise: report.noise })));
  const exact = await exactness(gateway, upstream, tally);
  if (wanted('block')) {
    progress('large bodies');
    report.figures.push(...(await blocks(upstreamUrl)));
  }
  report.figures.push(...exact.figures);
  console.log(renderReport(report));
  if (options.json) writeFileSync(options.json, reportJson(report));
  for (const complaint of exact.complaints) console.error(complaint);
  return exact.complaints.length > 0 ? 1 : 0;
}

async function measureLists(): Promise<number> {
  const engine = options.postgres ? 'postgres' : 'sqlite';
  cleanUps.unshift(openSharedFolder());
  const rows = Number(options.rows) / (options.quick ? 5 : 1);
  const machine = describeMachine();
  const { figures, bytes } = await listFigures({ engine, rows, rounds: options.quick ? 10 : 40 }, progress);
  const size = `${(bytes / 2 ** 20 / (rows / 1e6)).toFixed(0)} MiB per million rows`;
  const title = `lists of ${rows} log rows over HTTP, milliseconds; ${options.postgres ? 'PostgreSQL' : 'SQLite'}; ${size}`;
  console.log(renderLists(figures, { machine, title }));
  if (options.json)
    writeFileSync(options.json, `${JSON.stringify({ machine, engine, rows, bytes, figures }, null, 2)}\n`);
  return 0;
}

async function measureCluster(): Promise<number> {
  if (process.platform !== 'linux') throw new Error('the benchmark reads CPU and memory from /proc: it needs Linux');
  const machine = describeMachine();
  compileChildren();
  const stand = await startClusterStand({ binary: options.binary, cleanUps, progress });
  const figures = await clusterFigures(stand, options.quick, progress);
  const exact = await exactLimits(stand, progress);
  const complaint = await stand.gateway.verifyLedger();
  console.log(renderCluster({ machine, figures, exact, ledger: complaint ?? 'verified' }));
  if (options.json) writeFileSync(options.json, `${JSON.stringify({ machine, figures, exact }, null, 2)}\n`);
  await stand.stop();
  return complaint === undefined && exact.every(({ wanted, found }) => wanted === found) ? 0 : 1;
}

async function measureGrowth(): Promise<number> {
  const engine = options.postgres ? 'postgres' : 'sqlite';
  cleanUps.unshift(openSharedFolder());
  const { quick } = options;
  const plan = { rows: Number(options.rows), settled: quick ? 4000 : 20_000, rounds: quick ? 10 : 40 };
  const machine = describeMachine();
  const figures = await growthFigures({ engine, ...plan, seconds: quick ? 10 : 30 }, progress);
  console.log(`${machine}\n${engine}\n\n${renderGrowth(figures)}`);
  if (options.json)
    writeFileSync(options.json, `${JSON.stringify({ machine, engine, ...plan, ...figures }, null, 2)}\n`);
  return 0;
}

function wanted(part: Part): boolean {
  if (options.only.length === 0) return !options.compare;
  return options.only.includes(part);
}

async function startCluster(): Promise<PostgresCluster> {
  progress('starting PostgreSQL');
  const postgres = await startPostgres({ isDurable: true });
  cleanUps.unshift(postgres.remove);
  return postgres;
}

/** On an installation of its own, on SQLite: its calls are not those that are counted at the end. */
async function blocks(upstreamUrl: string): Promise<Figure[]> {
  const probePort = await freePort();
  const environment = { NODE_OPTIONS: `--import ${loopProbe}`, BENCH_PROBE_PORT: String(probePort) };
  const gateway = await installGateway({ binary: options.binary, upstreamUrl, environment });
  cleanUps.unshift(gateway.remove);
  const server = await gateway.start();
  const figures = await blockFigures({ server, key: gateway.key, probePort, rounds: options.quick ? 1 : 3 });
  await server.stop();
  return figures;
}

interface LoadOptions {
  gateway: InstalledGateway;
  upstreamUrl: string;
  tally: Tally;
  noise: string[];
}

async function underLoad({ gateway, upstreamUrl, tally, noise }: LoadOptions): Promise<Figure[]> {
  const figures: Figure[] = [];
  if (!parts.slice(1).some(wanted)) return figures;
  const generator = await startChild('load');
  const startRaw = async (): Promise<Side> => ({ server: await startChild('bare', upstreamUrl), key: 'sk-nobody' });
  const startTollgate = async (): Promise<Side> => ({ server: await gateway.start(), key: gateway.key });
  const { quick } = options;
  if (wanted('hold')) {
    progress('1,000 slow streams');
    figures.push(...(await holdFigures({ generator, startRaw, startTollgate, tally, quick })));
  }
  const stand: Stand = { generator, raw: await startRaw(), tollgate: await startTollgate(), tally, quick, noise };
  const steps: [Part, string, (stand: Stand) => Promise<Figure[]>][] = [
    ['plain', 'plain calls', plainFigures],
    ['dense', 'dense streams', denseFigures],
    ['converted', 'converted streams', convertedFigures],
    ['first', 'first token', firstTokenFigures],
    ['rate', '200 calls a second', rateFigures],
  ];
  for (const [part, title, run] of steps) {
    if (!wanted(part)) continue;
    progress(title);
    figures.push(...(await run(stand)));
  }
  await stand.raw.server.stop();
  await stand.tollgate.server.stop();
  return figures;
}

async function measureCompared({ gateway, upstreamUrl, tally }: Omit<LoadOptions, 'noise'>): Promise<void> {
  progress('fetching and starting the others');
  const { found, missing } = await startAlternatives(upstreamUrl, (step) => cleanUps.unshift(step));
  const generator = await startChild('load');
  const raw: Side = { server: await startChild('bare', upstreamUrl), key: 'sk-nobody' };
  const tollgate: Side = { server: await gateway.start(), key: gateway.key };
  const compared = await compareAll({ generator, raw, tollgate, others: found, tally, quick: options.quick }, progress);
  for (const { server } of [raw, tollgate, ...found]) await server.stop();
  for (const line of missing) console.error(`left out: ${line}`);
  console.log(`${renderCompared(compared)}\n`);
}

/** After the server has stopped: every response has one upstream call and one row, and the ledger adds up. */
async function exactness(gateway: InstalledGateway, upstream: BenchChild, tally: Tally) {
  progress('counting rows and verifying the ledger');
  const { hits } = await upstream.ask<{ hits: Record<string, number> }>('hits');
  const seen = hits[`Bearer ${upstreamKey}`] ?? 0;
  const { rows, wronglyBilled } = await gateway.countRows({ prompt: 38, completion: 42 });
  const ledger = await gateway.verifyLedger();
  const wrong = tally.wrong + wronglyBilled;
  const lost = Math.max(0, tally.right - rows);
  const doubled = Math.max(0, rows - tally.right - tally.wrong);
  const figures: Figure[] =
    tally.right + tally.wrong === 0
      ? []
      : [
          { name: 'hitsPerResponse', value: seen / tally.right, detail: `${seen} / ${tally.right}` },
          { name: 'wrong', value: wrong, detail: `${tally.wrong} answers, ${wronglyBilled} rows` },
          { name: 'lost', value: lost, detail: `${rows} rows` },
          { name: 'doubled', value: doubled, detail: ledger ? 'ledger verify failed' : 'ledger verified' },
        ];
  const complaints = [
    ...(wrong > 0 ? [`wrong: ${tally.firstWrong ?? `${wronglyBilled} rows billed wrong`}`] : []),
    ...(lost + doubled > 0 ? [`${lost} answers lost, ${doubled} doubled`] : []),
    ...(seen < tally.right ? [`${tally.right - seen} answers never came from upstream`] : []),
    ...(ledger ? [`tollgate ledger verify: ${ledger}`] : []),
  ];
  return { figures, complaints };
}

function progress(text: string): void {
  process.stderr.write(`${text} ...\n`);
}
