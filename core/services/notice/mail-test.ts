import { AppError, type Language } from '../../errors/app-error.ts';
import type { Mailer } from '../../integrations/mail/mailer.ts';
import { type Actor, role } from '../../schemas/actor.ts';
import type { MailTest } from '../../schemas/option.ts';
import { requireRole } from '../actor.ts';
import type { OptionService } from '../option/option.ts';
import { testMail } from './mail-text.ts';

export interface MailTestService {
  /** Waits until the mail server has taken the mail; throws `mail.refused` when it did not. */
  send(actor: Actor, language: Language, input: MailTest): Promise<void>;
}

export interface MailTestServiceDependencies {
  mailer: Pick<Mailer, 'requireReady' | 'deliver'>;
  options: Pick<OptionService, 'get'>;
}

export function createMailTestService({ mailer, options }: MailTestServiceDependencies): MailTestService {
  return {
    async send(actor, language, { email }) {
      requireRole(actor, role.root);
      mailer.requireReady();
      try {
        await mailer.deliver({ to: email, ...testMail(language, options.get('SystemName')) });
      } catch (cause) {
        throw new AppError('mail.refused', { reason: reasonOf(cause) }, { cause });
      }
    },
  };
}

/** `EAUTH 535`: a mail server's own words may repeat what was sent to it. */
const reasonOf = (error: unknown) =>
  (error instanceof Error ? /\(([A-Z]+(?: \d+)?)\)$/.exec(error.message)?.[1] : '') ?? '';
