import { Redis } from 'ioredis';
import type { RedisScript } from './redis-script.ts';

const responseMs = 500;
const connectMs = 2000;
const probeEveryMs = 1000;
const maxRetryMs = 5000;

export interface RedisLink {
  /**
   * The script's result. Callers do not wait for a Redis that is away: undefined when it is known to be away or does not respond in
   * time, and when the script fails on what it finds.
   */
  run(script: RedisScript, keys: readonly string[], values: readonly (string | number)[]): Promise<unknown>;
  isUp(): boolean;
  close(): void;
}

export interface RedisLinkDependencies {
  url: string;
  /** Once at the beginning of each time without Redis, and once for the first script that fails. */
  warn(text: string, error: unknown): void;
  recovered(): void;
}

/** Redis only ever helps: it is connected in the background, left out while it is slow or gone, and used again when it responds. */
export function connectRedis({ url, warn, recovered }: RedisLinkDependencies): RedisLink {
  const client = new Redis(url, {
    connectTimeout: connectMs,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (times) => Math.min(100 * 2 ** times, maxRetryMs) * (0.5 + Math.random() / 2),
    connectionName: 'tollgate',
  });
  let isUp = false;
  let isWarned = false;
  let isScriptWarned = false;
  let isProbing = false;
  let isClosed = false;

  client.on('ready', () => void probe());
  client.on('error', leaveOut);
  client.on('close', () => leaveOut(new Error('the connection ended')));

  function leaveOut(error: unknown): void {
    isUp = false;
    if (isWarned || isClosed) return;
    isWarned = true;
    warn('Redis is not used while it does not respond; each process keeps its own limits meanwhile', error);
  }

  /** A connection that responds in time is used; one that does not is reopened, because it may be a dead one. */
  async function probe(): Promise<void> {
    if (isUp || isProbing || client.status !== 'ready') return;
    isProbing = true;
    try {
      await inTime(client.ping());
      isUp = true;
      if (isWarned) recovered();
      isWarned = false;
    } catch (error) {
      leaveOut(error);
      if (client.status === 'ready') client.disconnect(true);
    } finally {
      isProbing = false;
    }
  }

  const timer = setInterval(() => void probe(), probeEveryMs);
  timer.unref();

  async function evaluate({ text, sha }: RedisScript, keys: readonly string[], values: readonly (string | number)[]) {
    const words = [...keys, ...values];
    try {
      return await inTime(client.evalsha(sha, keys.length, ...words));
    } catch (error) {
      if (!messageOf(error).startsWith('NOSCRIPT')) throw error;
      return inTime(client.eval(text, keys.length, ...words));
    }
  }

  return {
    async run(script, keys, values) {
      if (!isUp) return undefined;
      try {
        return await evaluate(script, keys, values);
      } catch (error) {
        // A reply, though not the one we want: something else stands under our key, or Redis may not write.
        if (isReply(error)) {
          if (!isScriptWarned)
            warn('Redis refuses what is asked of it; limits are kept without it where it does', error);
          isScriptWarned = true;
        } else {
          leaveOut(error);
        }
        return undefined;
      }
    },
    isUp: () => isUp,
    close() {
      isClosed = true;
      clearInterval(timer);
      client.disconnect();
    },
  };
}

/**
 * Rejects when the response does not come in time. A process that was busy itself looks first what has come meanwhile: two turns of its
 * event loop, of which the first reads the connection.
 */
function inTime<T>(response: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(new Error(`no response in ${responseMs} ms`));
    const timer = setTimeout(() => setImmediate(() => setImmediate(giveUp)), responseMs);
    response.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

function isReply(error: unknown): boolean {
  return error instanceof Error && error.name === 'ReplyError';
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : '';
}
