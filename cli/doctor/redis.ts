import type { Speak } from '../text.ts';
import type { Finding } from './finding.ts';

const responseMs = 2000;

export async function checkRedis(address: string, speak: Speak): Promise<Finding> {
  const reason = await pingFault(address);
  return reason === undefined
    ? { check: 'redis', status: 'ok', message: speak('doctor.redis') }
    : { check: 'redis', status: 'warn', message: speak('doctor.redisDown', { reason }) };
}

/** Why a request sent the way a server sends it, with password, fails. */
async function pingFault(address: string): Promise<string | undefined> {
  const { Redis } = await import('ioredis');
  const client = new Redis(address, {
    lazyConnect: true,
    connectTimeout: responseMs,
    commandTimeout: responseMs,
    retryStrategy: () => null,
  });
  let fault: NodeJS.ErrnoException | undefined;
  // It says why; what `connect` rejects with afterward only says that the connection ended.
  client.on('error', (error) => {
    fault ??= error;
  });
  try {
    await client.connect();
    await client.ping();
    return undefined;
  } catch (error) {
    const known = fault ?? (error as NodeJS.ErrnoException);
    return known.code ?? known.message;
  } finally {
    client.disconnect();
  }
}
