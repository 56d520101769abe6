import cluster, { type Worker } from 'node:cluster';
import { createApp } from '../../core/app.ts';
import type { Config } from '../../core/config.ts';
import { AppError } from '../../core/errors/app-error.ts';
import type { Context } from '../context.ts';
import { exitCode } from '../failure.ts';
import { ensureInitialChannel } from '../first-run/first-channel.ts';
import { greet } from './greeting.ts';
import { endSoon } from './here.ts';
import { installLastResort } from './last-resort.ts';
import { replaceDefaultPassword } from './root-password.ts';
import { writeServerFile } from './server-file.ts';
import { openStopOrders, stopMessage } from './stop-signal.ts';
import { sumWorkerMetrics } from './worker-metrics.ts';

/** A worker that keeps dying is not started faster than this. */
const restartPauseMs = 1000;

/** Several processes that share the port; this one only starts them, watches them and passes the order to stop on. */
export async function serveWorkers(context: Context, config: Config): Promise<void> {
  const { host, output, speak } = context;
  // Schema, root account and first channel are made once, before the workers meet on the database.
  const app = await createApp(config);
  let stopping = false;
  const orders = openStopOrders(host, app.logger);
  const lastResort = installLastResort(app.logger);
  const stopped = Promise.race([orders.next(), lastResort.fatal.then(() => true)]);
  try {
    await replaceDefaultPassword(context, app);
    await ensureInitialChannel(app);
    sumWorkerMetrics();
    const ports = await Promise.all(Array.from({ length: config.workers }, startWorker));
    cluster.on('exit', () => {
      if (stopping) return;
      output.say(speak('serve.workerLost'));
      setTimeout(() => {
        // It will be tried again when it ends again.
        if (!stopping) startWorker().catch(() => undefined);
      }, restartPauseMs).unref();
    });
    const port = ports[0] ?? config.port;
    const removeFile = writeServerFile(config, port);
    await greet(context, app, port);
    if (await stopped) context.exitCode = exitCode.failed;
    stopping = true;
    removeFile();
    output.say(speak('serve.stopping'));
    const hurried = orders.next().then(() => {
      tellWorkers();
      host.exit(exitCode.failed);
    });
    await Promise.race([endWorkers(), hurried]);
    output.say(speak('serve.stopped'));
  } finally {
    stopping = true;
    await endWorkers();
    await app.close();
    lastResort.stop();
    orders.close();
  }
  endSoon(context);
}

/** Resolves with the port once it listens; a worker that ends before has said why on standard error. */
function startWorker(): Promise<number> {
  const worker = cluster.fork();
  return new Promise((resolve, reject) => {
    worker.on('message', (message: unknown) => {
      const port = portIn(message);
      if (port !== undefined) resolve(port);
    });
    worker.once('exit', (code) => reject(new AppError('serve.workerFailed', { code: code ?? 1 })));
  });
}

/** Of the message by which a worker says that it listens. */
function portIn(message: unknown): number | undefined {
  const port = (message as { listening?: unknown } | null)?.listening;
  return typeof port === 'number' ? port : undefined;
}

function liveWorkers(): Worker[] {
  return Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
}

function tellWorkers(): void {
  for (const worker of liveWorkers()) worker.send(stopMessage);
}

async function endWorkers(): Promise<void> {
  const ended = liveWorkers().map((worker) => new Promise((resolve) => worker.once('exit', resolve)));
  tellWorkers();
  // One that is only starting may not hear yet: it is told again once it does.
  for (const worker of liveWorkers()) {
    worker.on('message', (message: unknown) => {
      if (portIn(message) !== undefined && worker.isConnected()) worker.send(stopMessage);
    });
  }
  await Promise.all(ended);
}
