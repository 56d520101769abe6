import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface BlackHole {
  /** No response to a connection's first packet, not even a refusal. */
  port: number;
  close(): void;
}

const maxQueueLength = 16;
const silenceMs = 500;

/**
 * An address whose packets are dropped, without any right that a test has not: a listener that is stopped before it accepts
 * a client, its queue filled, so that the kernel drops what comes. Undefined where the kernel does otherwise.
 */
export async function openBlackHole(): Promise<BlackHole | undefined> {
  const listener = spawn(process.execPath, ['-e', listen], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [said] = (await once(listener.stdout, 'data')) as [Buffer];
  const port = Number(said.toString());
  listener.kill('SIGSTOP');
  const waiting: Socket[] = [];
  const close = () => {
    for (const socket of waiting) socket.destroy();
    listener.kill('SIGKILL');
  };
  for (let queued = 0; queued < maxQueueLength; queued++) {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined); // of those that wait when the listener ends
    waiting.push(socket);
    const isAccepted = await Promise.race([
      once(socket, 'connect').then(() => true),
      new Promise<false>((resolve) => setTimeout(resolve, silenceMs, false)),
    ]);
    if (!isAccepted) return { port, close };
  }
  close();
  return undefined;
}

const listen = `const server = require('net').createServer();
server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => console.log(server.address().port));`;
