import { AppError, type Language } from '../../errors/app-error.ts';
import type { ErrorCode } from '../../errors/catalog.ts';
import { MailFailure, type MailObstacle } from '../../integrations/mail/mail-failure.ts';
import type { Mailer } from '../../integrations/mail/mailer.ts';
import { type Actor, role } from '../../schemas/actor.ts';
import type { MailTest } from '../../schemas/option.ts';
import { requireRole } from '../actor.ts';
import type { OptionService } from '../option/option.ts';
import { testMail } from './mail-text.ts';

export interface MailTestService {
  /** Waits until the mail server has taken the mail; throws what was in the way when it did not. */
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
        throw mailError(cause);
      }
    },
  };
}

/** What is in the way, and what to look at. */
export function mailError(cause: unknown): AppError {
  const { obstacle, reason } = cause instanceof MailFailure ? cause : unknownFailure;
  return new AppError(codes[obstacle], { reason }, { cause });
}

const unknownFailure = { obstacle: 'other', reason: '' } as const;

const codes = {
  unreachable: 'mail.unreachable',
  silent: 'mail.silent',
  unencrypted: 'mail.unencrypted',
  signIn: 'mail.signInRefused',
  sender: 'mail.senderRefused',
  receiver: 'mail.receiverRefused',
  other: 'mail.refused',
} as const satisfies Record<MailObstacle, ErrorCode>;
