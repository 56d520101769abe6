import { createMailer } from '../integrations/mail/mailer.ts';
import { createChannelNotice } from '../services/channel/notice.ts';
import { createLedgerNotice } from '../services/ledger/ledger-notice.ts';
import { createLimitAlerts } from '../services/limit/alert.ts';
import { createNoticeDelivery } from '../services/notice/delivery.ts';
import { mailSettings } from '../services/notice/mail-settings.ts';
import { createMailTestService } from '../services/notice/mail-test.ts';
import { createNoticeService } from '../services/notice/notice.ts';
import { createQuotaReminder } from '../services/notice/quota-reminder.ts';
import type { CommonServices } from './common-services.ts';
import { type Installation, warn } from './installation.ts';

/** Mail and webhooks, and what users and root are told by them. */
export function createNoticeServices({
  now,
  config,
  logger,
  database,
  ledger,
  secretBox,
  outbound,
  options,
}: Installation & CommonServices) {
  const onFailure = (text: string, error: unknown) => logger.log('warn', text, {}, error);
  const mailer = createMailer({
    settings: () => mailSettings(options),
    // Only root saves the options, so the mail server may be a private one.
    openSocket: (host, port) => outbound.openSocket(host, port, 'operatorPrivate'),
    onFailure,
  });
  const delivery = createNoticeDelivery({ now, secretBox, options, mailer, outbound });
  const notices = createNoticeService({ now, database, delivery, limit: config.noticeLimit, onFailure });
  const onError = warn(logger, 'root could not be told');
  const channelNotice = createChannelNotice({ database, notices, onError });
  const ledgerNotice = createLedgerNotice({ database, notices, onError });
  ledger.onStrays(ledgerNotice.strayed);
  return {
    mailer,
    mailTest: createMailTestService({ mailer, options }),
    delivery,
    notices,
    limitAlerts: createLimitAlerts({ now, database, options, notices }),
    quotaReminder: createQuotaReminder({ now, database, options, notices }),
    channelNotice,
    ledgerNotice,
  };
}

export type NoticeServices = ReturnType<typeof createNoticeServices>;
