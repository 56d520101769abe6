import type { Database } from '../../core/database/connect.ts';
import type { Mailer } from '../../core/integrations/mail/mailer.ts';
import { readStoredSetting } from '../../core/schemas/user-setting.ts';
import { noticeWay } from '../../core/services/notice/delivery.ts';
import { mailError } from '../../core/services/notice/mail-test.ts';
import { findRoots } from '../../core/services/notice/root-notice.ts';
import type { OptionService } from '../../core/services/option/option.ts';
import type { Context } from '../context.ts';
import type { Finding } from './finding.ts';

interface MailDependencies {
  database: Database;
  services: MailServices;
}

interface MailServices {
  options: Pick<OptionService, 'get'>;
  mailer: Pick<Mailer, 'isConfigured' | 'check'>;
}

/** Nothing where mail is not set up and not needed. */
export async function checkMail(
  { database, services: { options, mailer } }: MailDependencies,
  { speak, output }: Context,
): Promise<Finding[]> {
  const warning = (message: string): Finding => ({ check: 'mail', status: 'warn', message });
  if (!mailer.isConfigured()) {
    return options.get('EmailVerificationEnabled') ? [warning(speak('doctor.mailNone'))] : [];
  }
  const place = `${options.get('SMTPServer')}:${options.get('SMTPPort')}`;
  const server = await mailer.check().then(
    (): Finding => ({ check: 'mail', status: 'ok', message: speak('doctor.mail', { place }) }),
    (error: unknown) => warning(speak('doctor.mailDown', { place, reason: mailError(error).text(output.language) })),
  );
  return [
    server,
    ...(options.get('ServerAddress') === '' ? [warning(speak('doctor.mailNoAddress'))] : []),
    ...((await isRootReached(database)) ? [] : [warning(speak('doctor.mailNoRoot'))]),
  ];
}

/** Whether one of those who are told of alarms has an address for them. */
async function isRootReached(database: Database): Promise<boolean> {
  const roots = await findRoots(database);
  return roots.some((root) => noticeWay(root, readStoredSetting(root.setting), true) !== undefined);
}
