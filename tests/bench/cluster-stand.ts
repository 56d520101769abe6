import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startPostgres } from '../support/postgres.ts';
import { type ProxyServer, startNginx } from '../support/proxy-server.ts';
import { startRedis } from '../support/redis.ts';
import { type BenchChild, startChild } from './child.ts';
import { type InstalledGateway, installGateway, type RunningServer } from './gateway.ts';

/** Root's access to the console of each node. */
export const accessToken = 'bench-access-token-0123456789abcd';

export interface ClusterSide {
  name: string;
  /** One server process each, or one with two workers. */
  servers: RunningServer[];
  front: ProxyServer;
}

export interface ClusterStand {
  gateway: InstalledGateway;
  generator: BenchChild;
  /** 1, 2 and 4 nodes, and one with two workers. */
  sides: ClusterSide[];
  postgresPid: number;
  stop(): Promise<void>;
}

interface StandOptions {
  binary: string;
  cleanUps: (() => void)[];
  progress(text: string): void;
}

/** One PostgreSQL, one Redis, four nodes and a fifth with two workers; nginx with our sample configuration in front of each side. */
export async function startClusterStand({ binary, cleanUps, progress }: StandOptions): Promise<ClusterStand> {
  progress('starting PostgreSQL, Redis, nginx and five servers');
  const postgres = await startPostgres({ isDurable: true });
  cleanUps.unshift(postgres.remove);
  const redis = await startRedis();
  cleanUps.push(() => void redis.stop());
  const upstream = await startChild('upstream');
  const gateway = await installGateway({
    binary,
    upstreamUrl: `http://127.0.0.1:${upstream.port}`,
    sqlDsn: postgres.url,
    environment: {
      REDIS_CONN_STRING: redis.url,
      INITIAL_ROOT_ACCESS_TOKEN: accessToken,
      GLOBAL_API_RATE_LIMIT_ENABLE: 'false',
      // Two cores run everything: late is not overloaded here.
      LOOP_DELAY_LIMIT: '0',
    },
  });
  cleanUps.unshift(gateway.remove);
  const nodes: RunningServer[] = [];
  for (let count = 0; count < 4; count += 1) nodes.push(await gateway.start());
  const workers = await gateway.start('--workers', '2');
  const sides: ClusterSide[] = [];
  for (const servers of [nodes.slice(0, 1), nodes.slice(0, 2), nodes]) {
    const name = servers.length === 1 ? '1 node' : `${servers.length} nodes`;
    sides.push({ name, servers, front: await frontOf(servers) });
  }
  sides.push({ name: '--workers 2', servers: [workers], front: await frontOf([workers]) });
  cleanUps.push(() => sides.forEach(({ front }) => void front.stop()));
  return {
    gateway,
    generator: await startChild('load'),
    sides,
    postgresPid: Number(readFileSync(join(postgres.directory, 'data/postmaster.pid'), 'utf8').split('\n')[0]),
    async stop() {
      for (const { front } of sides) await front.stop();
      for (const server of [...nodes, workers]) await server.stop();
      await redis.stop();
    },
  };
}

const frontOf = (servers: RunningServer[]) => startNginx(servers.map(({ port }) => `http://127.0.0.1:${port}`));
