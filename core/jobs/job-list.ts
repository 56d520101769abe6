import type { Config } from '../config.ts';
import type { Database } from '../database/connect.ts';
import type { Clock } from '../lib/clock.ts';
import type { Logger } from '../lib/logger.ts';
import { systemActor } from '../schemas/actor.ts';
import type { CodeService } from '../services/account/code.ts';
import type { AuditService } from '../services/audit.ts';
import type { ChannelBalanceService } from '../services/channel/balance.ts';
import type { ChannelCheckService } from '../services/channel/check.ts';
import type { LedgerProofService } from '../services/ledger/ledger-proof.ts';
import type { LimitAlerts } from '../services/limit/alert.ts';
import type { LogService } from '../services/log/log.ts';
import { createRetention } from '../services/log/retention.ts';
import type { NoticeService } from '../services/notice/notice.ts';
import type { QuotaReminder } from '../services/notice/quota-reminder.ts';
import type { OptionService } from '../services/option/option.ts';
import type { ScheduledSync } from '../services/pricing/scheduled-sync.ts';
import { createRollUp } from '../services/rolled-hour/roll-up.ts';
import type { SessionService } from '../services/sign-in/session.ts';
import type { StoredResponseService } from '../services/stored-response.ts';
import type { TaskNotices } from '../services/task/notice.ts';
import type { TaskProgress } from '../services/task/progress.ts';
import { cleanUpJob, removeSpooledBodyJob } from './clean-up.ts';
import { createClockLeap } from './clock-leap.ts';
import type { Job } from './job.ts';
import { createJobLocks } from './job-lock.ts';
import { keepLogPartJob } from './keep-log-part.ts';
import { pollTaskJob } from './poll-task.ts';
import { remindQuotaJob } from './remind-quota.ts';
import { retainLogJob } from './retain-log.ts';
import { retainRowJob } from './retain-row.ts';
import { rollUpJob } from './roll-up.ts';
import { createScheduler, type Scheduler } from './scheduler.ts';
import { sendNoticeJob } from './send-notice.ts';
import { sendTaskNoticeJob } from './send-task-notice.ts';
import { syncPriceJob } from './sync-price.ts';
import { tellBudgetJob } from './tell-budget.ts';
import { enableChannelJob, testChannelJob } from './test-channel.ts';
import { updateBalanceJob } from './update-balance.ts';
import { verifyLedgerJob } from './verify-ledger.ts';

export interface JobListDependencies {
  config: Pick<Config, 'database' | 'logDatabase' | 'isSlave' | 'channelTestMinutes' | 'channelUpdateMinutes'>;
  database: Database;
  logger: Logger;
  /** The database's: a node whose own clock is wrong must not delete what is new. */
  now: Clock;
  /** Where bodies of calls under way are kept. */
  bodyDirectory: string;
  services: {
    audit: AuditService;
    channelChecks: ChannelCheckService;
    channelBalances: ChannelBalanceService;
    codes: CodeService;
    ledgerProofs: Pick<LedgerProofService, 'verify'>;
    limitAlerts: LimitAlerts;
    logs: LogService;
    notices: NoticeService;
    options: OptionService;
    quotaReminder: QuotaReminder;
    scheduledSync: ScheduledSync;
    sessions: SessionService;
    storedResponses: StoredResponseService;
    taskNotices: TaskNotices;
    taskProgress: TaskProgress;
  };
}

const leaseSeconds = 60;

/** Scheduled work; a slave node keeps only to its own disk. */
export function createJobs(dependencies: JobListDependencies): Scheduler {
  const { config, database, logger, bodyDirectory } = dependencies;
  return createScheduler({
    jobs: [removeSpooledBodyJob({ directory: bodyDirectory }), ...(config.isSlave ? [] : sharedJobs(dependencies))],
    locks: createJobLocks({ database, leaseSeconds }),
    leaseMs: leaseSeconds * 1000,
    log: logger.log,
  });
}

function sharedJobs({ config, database, logger, now, services }: JobListDependencies): Job[] {
  const {
    audit,
    channelChecks,
    channelBalances,
    limitAlerts,
    logs,
    options,
    sessions,
    codes,
    notices,
    quotaReminder,
    storedResponses,
    taskNotices,
    taskProgress,
  } = services;
  const { channelTestMinutes, channelUpdateMinutes } = config;
  const afterLeap = createClockLeap({ now, logger });
  return [
    testChannelJob({ channelChecks, minutes: channelTestMinutes }),
    enableChannelJob({ channelChecks, minutes: channelTestMinutes, options }),
    updateBalanceJob({ channelBalances, minutes: channelUpdateMinutes }),
    pollTaskJob(taskProgress),
    sendTaskNoticeJob(taskNotices),
    remindQuotaJob(quotaReminder),
    tellBudgetJob(limitAlerts),
    sendNoticeJob(notices),
    afterLeap(cleanUpJob({ database, sessions, codes, notices, storedResponses, limitAlerts, now })),
    keepLogPartJob({ database: config.database, logDatabase: config.logDatabase, logger, now }),
    afterLeap(retainLogJob({ logs, options })),
    rollUpJob(createRollUp({ database, now })),
    syncPriceJob({ scheduledSync: services.scheduledSync, options }),
    afterLeap(retainRowJob(createRetention({ database, options, now }))),
    verifyLedgerJob({
      verify: () => services.ledgerProofs.verify(systemActor),
      audit,
      alarm: (text, fields) => logger.log('error', text, fields),
    }),
  ];
}
