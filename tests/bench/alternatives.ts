import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '../support/postgres.ts';
import { register, startChild, stopChild } from './child.ts';
import type { RunningServer } from './gateway.ts';
import type { Side } from './rounds.ts';

export interface Alternative extends Side {
  name: string;
}

const portkeyVersion = '1.15.2';

/** What a person would take instead, each started as its makers describe it; one that is not there is left out by name. */
export async function startAlternatives(upstreamUrl: string, onCleanUp: (step: () => void) => void) {
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-bench-others-'));
  onCleanUp(() => rmSync(directory, { recursive: true, force: true }));
  const missing: string[] = [];
  const found: Alternative[] = [
    { name: 'fastify pass-through', server: await startChild('fastify-pass', upstreamUrl), key: 'sk-nobody' },
  ];
  const nginx = await startNginx(directory, upstreamUrl).catch(
    (error: unknown) => void missing.push(`nginx: ${error}`),
  );
  if (nginx) found.unshift({ name: 'nginx', server: nginx, key: 'sk-nobody' });
  const portkey = await startPortkey(join(directory, 'portkey'), upstreamUrl).catch(
    (error: unknown) => void missing.push(`Portkey: ${error}`),
  );
  if (portkey) found.push(portkey);
  return { found, missing };
}

async function startNginx(directory: string, upstreamUrl: string): Promise<RunningServer> {
  const port = await freePort();
  const file = join(directory, 'nginx.conf');
  writeFileSync(
    file,
    `daemon off; pid ${directory}/nginx.pid; error_log stderr; worker_processes 1; events { worker_connections 4096; }
http {
  access_log off;
  client_body_temp_path ${directory}/body; proxy_temp_path ${directory}/proxy; fastcgi_temp_path ${directory}/fastcgi;
  uwsgi_temp_path ${directory}/uwsgi; scgi_temp_path ${directory}/scgi;
  upstream models { server ${new URL(upstreamUrl).host}; keepalive 256; }
  server {
    listen 127.0.0.1:${port}; keepalive_requests 1000000;
    location / { proxy_pass http://models; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_buffering off; }
  }
}`,
  );
  return startProgram('nginx', ['-c', file, '-p', directory], port);
}

async function startPortkey(directory: string, upstreamUrl: string): Promise<Alternative> {
  mkdirSync(directory);
  writeFileSync(join(directory, 'package.json'), '{"private":true}');
  const name = '@portkey-ai/gateway';
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--silent', `${name}@${portkeyVersion}`], {
    cwd: directory,
  });
  const port = await freePort();
  const program = join(directory, 'node_modules', name, 'build/start-server.js');
  // Without it, Portkey calls no upstream on this machine.
  const environment = { TRUSTED_CUSTOM_HOSTS: '127.0.0.1' };
  const server = await startProgram(process.execPath, [program, '--headless', `--port=${port}`], port, environment);
  const headers = { 'x-portkey-provider': 'openai', 'x-portkey-custom-host': `${upstreamUrl}/v1` };
  return { name: `Portkey ${portkeyVersion}`, server, key: 'sk-nobody', headers };
}

/** Resolves when it listens. */
async function startProgram(
  program: string,
  words: string[],
  port: number,
  environment: Record<string, string> = {},
): Promise<RunningServer> {
  const child = register(spawn(program, words, { env: { ...process.env, ...environment }, stdio: 'ignore' }));
  const failed = new Promise<never>((_, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => reject(new Error(`ended with exit ${code}`)));
  });
  await Promise.race([listening(port), failed]);
  // Its end is no failure any more.
  failed.catch(() => undefined);
  return { pid: child.pid ?? 0, port, stop: () => stopChild(child, 'SIGTERM', 2000) };
}

async function listening(port: number): Promise<void> {
  for (let tries = 0; tries < 300; tries += 1) {
    const isUp = await new Promise<boolean>((done) => {
      const socket = connect(port, '127.0.0.1', () => done(true)).on('error', () => done(false));
      socket.on('connect', () => socket.destroy());
    });
    if (isUp) return;
    await wait(100);
  }
  throw new Error('it does not listen after 30 s');
}
