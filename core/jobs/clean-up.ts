import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '../database/connect.ts';
import { type Clock, secondsPerDay } from '../lib/clock.ts';
import { runEach } from '../lib/run-each.ts';
import type { CodeService } from '../services/account/code.ts';
import type { LimitAlerts } from '../services/limit/alert.ts';
import { forgetGoneCounts } from '../services/limit/count-exchange.ts';
import type { NoticeService } from '../services/notice/notice.ts';
import type { SessionService } from '../services/sign-in/session.ts';
import type { StoredResponseService } from '../services/stored-response.ts';
import type { Job } from './job.ts';

interface CleanUpDependencies {
  database: Database;
  sessions: Pick<SessionService, 'removeExpired'>;
  codes: Pick<CodeService, 'removeExpired'>;
  notices: Pick<NoticeService, 'removeOld'>;
  storedResponses: Pick<StoredResponseService, 'removeOld'>;
  limitAlerts: Pick<LimitAlerts, 'removeOld'>;
  now: Clock;
}

/** Readers of the change feed look back over its newest rows. */
const changesKept = 1000;

/** Rows that can no longer be used. */
export function cleanUpJob({
  database,
  sessions,
  codes,
  notices,
  storedResponses,
  limitAlerts,
  now,
}: CleanUpDependencies): Job {
  // SQL: triggers write this table and the change feed reads it; no service does.
  const removeChanges = () =>
    database.sequelize.query(
      `DELETE FROM changes WHERE created_at < (SELECT max(created_at) FROM changes) - ${secondsPerDay}
         AND id < (SELECT max(id) FROM changes) - ${changesKept}`,
    );

  return {
    name: 'clean-up',
    schedule: () => ({ everySeconds: 3600 }),
    async run(signal) {
      const steps = {
        sessions: () => sessions.removeExpired(),
        codes: () => codes.removeExpired(),
        notices: () => notices.removeOld(),
        'stored responses': () => storedResponses.removeOld(signal),
        'limit usage': () => limitAlerts.removeOld(),
        'limit counts': () => forgetGoneCounts(database, now()),
        changes: () => removeChanges(),
      };
      await runEach(steps, signal);
      return undefined;
    },
  };
}

/** Bodies are removed with their calls; what is this old was left behind by a process that was killed. */
const maxCallMs = 86_400_000;

export function removeSpooledBodyJob({ directory }: { directory: string }): Job {
  return {
    name: 'remove-spooled-body',
    inEveryProcess: true,
    schedule: () => ({ everySeconds: 3600 }),
    async run() {
      let removed = 0;
      for (const name of await readdir(directory)) {
        const path = join(directory, name);
        // Gone meanwhile: its call has ended.
        const file = await stat(path).catch(() => undefined);
        if (!file?.isFile() || Date.now() - file.mtimeMs < maxCallMs) continue;
        await rm(path, { force: true });
        removed++;
      }
      return removed > 0 ? { removed } : undefined;
    },
  };
}
