import type { VerifyReport } from '../billing/verify-ledger.ts';
import type { LogFields } from '../lib/logger.ts';
import { systemActor } from '../schemas/actor.ts';
import type { AuditService } from '../services/audit.ts';
import type { Job } from './job.ts';

interface VerifyLedgerDependencies {
  verify(): Promise<VerifyReport>;
  audit: Pick<AuditService, 'record'>;
  /** For an administrator to act upon. */
  alarm(text: string, fields: LogFields): void;
}

const quietHour = 3;
const shown = 5;

/** Each night all balances, counters, log rows and hourly sums are held against each other. */
export function verifyLedgerJob({ verify, audit, alarm }: VerifyLedgerDependencies): Job {
  return {
    name: 'verify-ledger',
    schedule: () => ({ dailyAtHour: quietHour }),
    async run() {
      const { ok, checked, differenceCount, differences } = await verify();
      if (!ok) {
        const first = differences
          .slice(0, shown)
          .map(({ subject, id, rule, expected, found }) => `${subject} ${id}: ${rule} is ${found}, not ${expected}`);
        alarm('the books are not right: run tollgate ledger verify', {
          differences: differenceCount,
          first: first.join('; '),
        });
        await audit.record(systemActor, {
          action: 'ledger.difference',
          id: differenceCount,
          after: { differences: differenceCount, first: first.join('; ') },
        });
      }
      return { ...checked, differences: differenceCount };
    },
  };
}
