import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './postgres.ts';
import { until } from './redis.ts';

export interface ProxyServer {
  url: string;
  /** What it wrote into its logs. */
  log(): string;
  stop(): Promise<void>;
}

const samples = new URL('../../dashboard/docs/deploy/', import.meta.url);
const readSample = (name: string) => readFileSync(new URL(name, samples), 'utf8');

/** Whether this machine has the program. */
export const has = (program: string): boolean => spawnSync('which', [program]).status === 0;

/** nginx with our sample; ports, certificate and the addresses of the nodes are this test's. */
export async function startNginx(nodes: string[]): Promise<ProxyServer> {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-nginx-'));
  const [port, redirectPort] = [await freePort(), await freePort()];
  const accessLog = join(folder, 'access.log');
  const site = readSample('nginx.conf')
    .replace('server 127.0.0.1:3000', nodes.map((node) => `server ${new URL(node).host}`).join(' fail_timeout=1s; '))
    .replace('listen 443 ssl http2;', `listen 127.0.0.1:${port};`)
    .replace('listen 80;', `listen 127.0.0.1:${redirectPort};`)
    .replace(/^ *(listen \[::\]|ssl_certificate).*\n/gm, '')
    .replaceAll('/var/log/nginx/tollgate.log', accessLog)
    .replace('/var/log/nginx/tollgate.error.log', 'stderr');
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  const file = join(folder, 'nginx.conf');
  const rest = `daemon off; master_process off; pid ${folder}/pid; error_log stderr; events {}`;
  writeFileSync(file, `${rest}\nhttp {\n${temporary.join(' ')}\n${site}}\n`);
  const child = spawn('nginx', ['-p', folder, '-e', 'stderr', '-c', file], { stdio: ['ignore', 'ignore', 'pipe'] });
  return follow({ child, folder, url: `http://127.0.0.1:${port}`, accessLog });
}

/** HAProxy with our sample; ports, certificate and the addresses of the nodes are this test's. */
export async function startHaproxy(nodes: string[]): Promise<ProxyServer> {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-haproxy-'));
  const [port, redirectPort] = [await freePort(), await freePort()];
  const servers = nodes.map((node, index) => `server node${index} ${new URL(node).host}`);
  const site = readSample('haproxy.cfg')
    .replace('/dev/log local0', 'stderr format raw local0')
    .replace(/^ *(user|group) .*\n/gm, '')
    .replace('bind :80', `bind 127.0.0.1:${redirectPort}`)
    .replace(/bind :443 .*/, `bind 127.0.0.1:${port}`)
    .replace('server node1 127.0.0.1:3000', servers.join('\n    '));
  const file = join(folder, 'haproxy.cfg');
  writeFileSync(file, site);
  const child = spawn('haproxy', ['-db', '-f', file], { stdio: ['ignore', 'ignore', 'pipe'] });
  return follow({ child, folder, url: `http://127.0.0.1:${port}`, accessLog: undefined });
}

/** Caddy with our sample, by the two variables it is meant to be set with. */
export async function startCaddy(nodes: string[]): Promise<ProxyServer> {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-caddy-'));
  mkdirSync(join(folder, 'home'));
  const file = join(folder, 'Caddyfile');
  // Another test's Caddy may run beside this one.
  writeFileSync(file, readSample('tollgate.caddyfile').replace(/^\{$/m, '{\n\tadmin off'));
  const url = `http://127.0.0.1:${await freePort()}`;
  const child = spawn('caddy', ['run', '--config', file, '--adapter', 'caddyfile'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      PATH: process.env.PATH,
      HOME: join(folder, 'home'),
      TOLLGATE_SITE: url,
      TOLLGATE_NODES: nodes.map((node) => new URL(node).host).join(' '),
    },
  });
  return follow({ child, folder, url, accessLog: undefined });
}

interface Started {
  child: ChildProcess;
  folder: string;
  url: string;
  accessLog: string | undefined;
}

async function follow({ child, folder, url, accessLog }: Started): Promise<ProxyServer> {
  let said = '';
  child.stderr?.on('data', (bytes: Buffer) => {
    said += bytes.toString();
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  await until(`${child.spawnfile} passes calls on`, async () => {
    if (child.exitCode !== null) throw new Error(`${child.spawnfile} ended: ${said}`);
    return (await fetch(`${url}/healthz`).catch(() => undefined))?.ok === true; // refused until it listens
  });
  return {
    url,
    log: () => (accessLog ? readFileSync(accessLog, 'utf8') : '') + said,
    async stop() {
      // Not a polite end: it would wait for connections that clients keep.
      child.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
