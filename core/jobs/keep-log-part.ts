import type { Config } from '../config.ts';
import { keepLogParts } from '../database/log-conversion.ts';
import { sessionUrl } from '../database/postgres-client.ts';
import type { Clock } from '../lib/clock.ts';
import type { Logger } from '../lib/logger.ts';
import type { Job } from './job.ts';

interface KeepLogPartDependencies {
  database: Config['database'];
  logger: Pick<Logger, 'log'>;
  now: Clock;
}

/** On PostgreSQL the log is a table of months: makes it one, and the next months before they begin. */
export function keepLogPartJob({ database, logger, now }: KeepLogPartDependencies): Job {
  return {
    name: 'keep-log-part',
    schedule: () => (database.engine === 'postgres' ? { everySeconds: 1800 } : undefined),
    async run(signal) {
      if (database.engine !== 'postgres') return undefined;
      const { converted, lockMs, months, obstacles } = await keepLogParts(sessionUrl(database), now, signal);
      if (obstacles.length > 0) {
        const text =
          'the log is not split into months: drop what depends on the table logs, and make it again afterwards';
        logger.log('warn', text, { obstacles: obstacles.join(', ') });
      }
      return converted || months > 0 ? { converted: Number(converted), months, lockMs } : undefined;
    },
  };
}
