import { constants, existsSync } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { isGuessable } from '../../core/config/crypto-secret.ts';
import type { Config } from '../../core/config.ts';
import { nodeState } from '../node-version.ts';
import { sizeOf } from '../print/size.ts';
import { isServerAt } from '../serve/address.ts';
import { runningConfig } from '../serve/server-file.ts';
import type { Speak } from '../text.ts';
import { bindingCommand } from './binding.ts';
import type { Finding } from './finding.ts';

const gibibyte = 1024 ** 3;
/** Below this the first full disk is near; the ledger keeps 16 MiB of its own for settlements. */
const littleBytes = gibibyte;
const minBytes = gibibyte / 16;

export function checkNode(speak: Speak, version = process.versions.node): Finding {
  const check = 'node';
  const state = nodeState(version);
  if (state === 'tooOld') return { check, status: 'fail', message: speak('node.tooOld', { version }) };
  if (state === 'unpatched') return { check, status: 'warn', message: speak('node.unpatched', { version }) };
  return { check, status: 'ok', message: speak('doctor.node', { version }) };
}

export async function checkDataDirectory({ dataDirectory: path }: Config, speak: Speak): Promise<Finding> {
  const check = 'data';
  const isThere = existsSync(path);
  try {
    await access(isThere ? path : nearestFolder(path), constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    return { check, status: 'fail', message: speak('doctor.dataDenied', { path }) };
  }
  if (!isThere) return { check, status: 'ok', message: speak('doctor.dataNew', { path }) };
  const mode = await modeOf(path);
  const isOpen = process.platform !== 'win32' && (mode & 0o077) !== 0;
  const details = { path, mode: mode.toString(8) };
  return isOpen
    ? { check, status: 'warn', message: speak('doctor.dataOpen', details) }
    : { check, status: 'ok', message: speak('doctor.data', details) };
}

/** The file that opens every stored secret; no other user may read it. */
export async function checkMasterKey(config: Config, speak: Speak): Promise<Finding> {
  const check = 'masterKey';
  const { cryptoSecrets, dataDirectory, sources } = config;
  if (sources.CRYPTO_SECRET !== 'default') {
    if (isGuessable(cryptoSecrets)) {
      return { check: 'cryptoSecret', status: 'warn', message: speak('doctor.secretGuessable') };
    }
    return { check, status: 'ok', message: speak('doctor.masterKey', { source: 'CRYPTO_SECRET' }) };
  }
  const path = join(dataDirectory, 'master.key');
  if (!existsSync(path)) return { check, status: 'ok', message: speak('doctor.masterKeyNew', { path }) };
  const mode = await modeOf(path);
  const isOpen = process.platform !== 'win32' && (mode & 0o077) !== 0;
  return isOpen
    ? { check, status: 'warn', message: speak('doctor.masterKeyOpen', { path, mode: mode.toString(8) }) }
    : { check, status: 'ok', message: speak('doctor.masterKey', { source: 'master.key' }) };
}

/** Where a folder that does not exist yet would be made. */
function nearestFolder(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestFolder(dirname(path));
}

async function modeOf(path: string): Promise<number> {
  return (await stat(path)).mode & 0o777;
}

export async function checkSqlite(speak: Speak): Promise<Finding> {
  const check = 'sqlite';
  try {
    const { default: sqlite3 } = await import('sqlite3');
    return { check, status: 'ok', message: speak('doctor.binding', { version: sqlite3.VERSION }) };
  } catch {
    // Whatever the loader says, the native file is what is missing, and the sentence says how to get it.
    return { check, status: 'fail', message: speak('doctor.bindingMissing', { command: bindingCommand() }) };
  }
}

export async function checkDisk({ dataDirectory }: Config, speak: Speak): Promise<Finding> {
  const { bavail, bsize } = await statfs(nearestFolder(dataDirectory));
  const bytes = bavail * bsize;
  const details = { free: sizeOf(bytes), path: dataDirectory };
  if (bytes >= littleBytes) return { check: 'disk', status: 'ok', message: speak('doctor.disk', details) };
  return { check: 'disk', status: bytes < minBytes ? 'fail' : 'warn', message: speak('doctor.diskLow', details) };
}

/** Free, or ours: a server of this program sends our request id back with its health check. */
export async function checkPort(config: Config, speak: Speak): Promise<Finding> {
  const { host, port } = runningConfig(config);
  const check = 'port';
  if (await canListen(host, port)) return { check, status: 'ok', message: speak('doctor.portFree', { port }) };
  return (await isServerAt({ host, port }))
    ? { check, status: 'ok', message: speak('doctor.portOwn', { port }) }
    : { check, status: 'fail', message: speak('doctor.portTaken', { port }) };
}

function canListen(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, host, () => server.close(() => resolve(true)));
  });
}
