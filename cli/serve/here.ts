import cluster from 'node:cluster';
import type { App } from '../../core/app.ts';
import type { Config } from '../../core/config.ts';
import { AppError } from '../../core/errors/app-error.ts';
import type { Gateway } from '../../core/gateway.ts';
import type { Context } from '../context.ts';
import { exitCode } from '../failure.ts';
import { ensureInitialChannel } from '../first-run/first-channel.ts';
import { greet } from './greeting.ts';
import { installLastResort } from './last-resort.ts';
import { replaceDefaultPassword } from './root-password.ts';
import { writeServerFile } from './server-file.ts';
import { openStopOrders, type StopOrders } from './stop-signal.ts';
import { shareMetrics } from './worker-metrics.ts';

/** The server in this process, until it is told to stop. */
export async function serveHere(context: Context, config: Config): Promise<void> {
  const { host, output, speak } = context;
  const { createApp } = await import('../../core/app.ts');
  const { createGateway } = await import('../../core/gateway.ts');
  const app = await createApp(config);
  const lastResort = installLastResort(app.logger);
  const orders = openStopOrders(host, app.logger);
  try {
    // Several workers would each find that there is none; their primary has made it.
    if (cluster.isPrimary) {
      await replaceDefaultPassword(context, app);
      await ensureInitialChannel(app);
    }
    const shared = cluster.isWorker ? shareMetrics() : undefined;
    const gateway = await createGateway(app, shared && { metricsText: shared.text });
    shared?.report(gateway.metrics);
    try {
      // Before it can be reached: from its first response on, an order to stop must end in a drain.
      const stopped = orders.next();
      const port = await listen(gateway, config);
      // The primary of several workers greets and writes the file for all of them.
      const removeFile = cluster.isPrimary ? writeServerFile(config, port) : undefined;
      if (cluster.isPrimary) await greet(context, app, port);
      else process.send?.({ listening: port });
      const hasFailed = await Promise.race([stopped, lastResort.fatal.then(() => true)]);
      if (hasFailed) {
        context.exitCode = exitCode.failed;
        endAnyway(context, app);
        // The others of this machine take what comes from now on.
        if (cluster.isWorker) gateway.stopListening();
      }
      removeFile?.();
      if (cluster.isPrimary) output.say(speak('serve.stopping'));
      await stop(context, app, gateway, orders);
      if (cluster.isPrimary) output.say(speak('serve.stopped'));
    } finally {
      await gateway.close();
    }
  } finally {
    await app.close();
    lastResort.stop();
    orders.close();
    // The link to the primary would keep a worker alive.
    if (cluster.isWorker) process.disconnect?.();
  }
  endSoon(context);
}

/** A database that says nothing any more does not take leave: its links would keep the process alive. */
const lingerMs = 500;

export function endSoon(context: Context): void {
  setTimeout(() => context.host.exit(context.exitCode), lingerMs).unref();
}

/** After a fault nothing is sure, not even that the calls under way come to an end. */
const settleMs = 30_000;

function endAnyway({ host }: Context, { config, logger }: App): void {
  setTimeout(() => {
    logger.flush();
    host.exit(exitCode.failed);
  }, config.drainTimeoutMs + settleMs).unref();
}

async function listen(gateway: Gateway, { host, port }: Config): Promise<number> {
  try {
    return await gateway.listen(host, port);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') throw new AppError('serve.portTaken', { host, port }, { cause: error });
    if (code === 'EACCES') throw new AppError('serve.portForbidden', { host, port }, { cause: error });
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
      throw new AppError('serve.addressUnknown', { host: `${host}:${port}`, reason: code }, { cause: error });
    }
    throw error;
  }
}

/** Calls under way may end; a second signal settles what is possible and leaves. */
async function stop({ host }: Context, app: App, gateway: Gateway, orders: StopOrders): Promise<void> {
  const hurried = orders.next().then(async () => {
    await gateway.drain(0);
    app.logger.flush();
    host.exit(exitCode.failed);
  });
  await Promise.race([gateway.drain(), hurried]);
}
