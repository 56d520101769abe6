import { createServer } from 'node:net';
import { freePort } from '../../support/postgres.ts';
import { startGateway, type TestGateway, type TestGatewayOptions } from '../../support/start-gateway.ts';

/** The same for one gateway after the other, so that the browser of this process finds the console's files in its cache. */
let knownPort: number | undefined;

/** A gateway with the limits that are shipped; it believes the test's browser which address a visit comes from. */
export async function startConsoleGateway(
  environment: Record<string, string> = {},
  options: TestGatewayOptions = {},
): Promise<TestGateway> {
  const port = await consolePort();
  return startGateway(
    'sqlite',
    { GLOBAL_API_RATE_LIMIT_ENABLE: 'true', TRUSTED_PROXIES: '127.0.0.1', ...environment },
    { criticalCalls: 20, port, ...options },
  );
}

/** Where the browser of this process knows the console already; another one while it is taken. */
export async function consolePort(): Promise<number> {
  if (knownPort === undefined) knownPort = await freePort();
  return (await isFree(knownPort)) ? knownPort : freePort();
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.on('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
