import { createConnection, type Socket } from 'node:net';
import { connect } from 'node:tls';
import type { Speak } from '../text.ts';
import type { Finding } from './finding.ts';

const answerMs = 2000;
const usualPort = 6379;

export async function checkRedis(address: string, speak: Speak): Promise<Finding> {
  const reason = await pingFault(address);
  return reason === undefined
    ? { check: 'redis', status: 'ok', message: speak('doctor.redis') }
    : { check: 'redis', status: 'warn', message: speak('doctor.redisDown', { reason }) };
}

/** What keeps it from answering; a server that asks for a password does answer. */
function pingFault(address: string): Promise<string | undefined> {
  if (!URL.canParse(address)) return Promise.resolve('REDIS_CONN_STRING is no address');
  const { hostname: host, port: written, protocol } = new URL(address);
  const port = Number(written) || usualPort;
  return new Promise((resolve) => {
    const socket: Socket = protocol === 'rediss:' ? connect({ host, port }) : createConnection({ host, port });
    const end = (reason: string | undefined) => {
      socket.destroy();
      resolve(reason);
    };
    socket.setTimeout(answerMs, () => end(`no answer in ${answerMs / 1000} s`));
    socket.once('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message));
    socket.once('data', (data) => end(/^(\+PONG|-NOAUTH)/.test(data.toString('latin1')) ? undefined : 'no Redis'));
    socket.write('PING\r\n');
  });
}
