import type { Mailer } from '../../core/integrations/mail/mailer.ts';
import { mailError } from '../../core/services/notice/mail-test.ts';
import type { OptionService } from '../../core/services/option/option.ts';
import type { Context } from '../context.ts';
import type { Finding } from './finding.ts';

interface MailServices {
  options: Pick<OptionService, 'get'>;
  mailer: Pick<Mailer, 'isConfigured' | 'check'>;
}

/** Nothing where mail is not set up and not needed. */
export async function checkMail({ options, mailer }: MailServices, { speak, output }: Context): Promise<Finding[]> {
  const warning = (message: string): Finding => ({ check: 'mail', status: 'warn', message });
  if (!mailer.isConfigured()) {
    return options.get('EmailVerificationEnabled') ? [warning(speak('doctor.mailNone'))] : [];
  }
  const place = `${options.get('SMTPServer')}:${options.get('SMTPPort')}`;
  const server = await mailer.check().then(
    (): Finding => ({ check: 'mail', status: 'ok', message: speak('doctor.mail', { place }) }),
    (error: unknown) => warning(speak('doctor.mailDown', { place, reason: mailError(error).text(output.language) })),
  );
  return [server, ...(options.get('ServerAddress') === '' ? [warning(speak('doctor.mailNoAddress'))] : [])];
}
