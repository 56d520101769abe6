import type { Logger } from '../../lib/logger.ts';
import type { RedisLink } from './redis-link.ts';

/** Undefined without an address; the client is loaded only where there is one. */
export async function openRedis(url: string | undefined, logger: Logger): Promise<RedisLink | undefined> {
  if (url === undefined) return undefined;
  const { connectRedis } = await import('./redis-link.ts');
  return connectRedis({
    url,
    warn: (text, error) => logger.log('warn', text, {}, error),
    recovered: () => logger.log('info', 'Redis responds again; limits are shared'),
  });
}
