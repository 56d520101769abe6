import type { Config } from '../config.ts';
import { keepLogParts, type LogPartsReport } from '../database/log-conversion.ts';
import { sessionUrl } from '../database/postgres-client.ts';
import type { Clock } from '../lib/clock.ts';
import type { Logger } from '../lib/logger.ts';
import type { Job } from './job.ts';

interface KeepLogPartDependencies {
  database: Config['database'];
  logDatabase: Config['logDatabase'];
  logger: Pick<Logger, 'log'>;
  now: Clock;
}

/** On PostgreSQL the log is a table of months: makes it one, and the next months before they begin. */
export function keepLogPartJob({ database, logDatabase, logger, now }: KeepLogPartDependencies): Job {
  // Rows pass through the main database, too.
  const urls = [database, logDatabase].flatMap((one) => (one?.engine === 'postgres' ? [sessionUrl(one)] : []));

  async function keepAll(signal: AbortSignal): Promise<LogPartsReport> {
    const all: LogPartsReport = { converted: false, lockMs: 0, months: 0, obstacles: [] };
    for (const url of urls) {
      const one = await keepLogParts(url, now, signal);
      all.converted ||= one.converted;
      all.lockMs = Math.max(all.lockMs, one.lockMs);
      all.months += one.months;
      all.obstacles.push(...one.obstacles);
    }
    return all;
  }

  return {
    name: 'keep-log-part',
    schedule: () => (urls.length > 0 ? { everySeconds: 1800 } : undefined),
    async run(signal) {
      const { converted, lockMs, months, obstacles } = await keepAll(signal);
      if (obstacles.length > 0) {
        const text =
          'the log is not split into months: drop what depends on the table logs, and make it again afterwards';
        logger.log('warn', text, { obstacles: obstacles.join(', ') });
      }
      return converted || months > 0 ? { converted: Number(converted), months, lockMs } : undefined;
    },
  };
}
