import type { Transaction } from 'sequelize';
import type { Database } from '../../database/connect.ts';
import type { UserRow } from '../../database/models/user.ts';
import { AppError, type Language } from '../../errors/app-error.ts';
import type { Mailer } from '../../integrations/mail/mailer.ts';
import type { Register } from '../../schemas/account.ts';
import type { Actor } from '../../schemas/actor.ts';
import { emailKey } from '../../schemas/email.ts';
import { alreadyRegisteredMail, verificationMail } from '../notice/mail-text.ts';
import type { OptionService } from '../option/option.ts';
import type { AccountService } from './account.ts';
import { type CodeService, codeMinutes } from './code.ts';
import { checkEmailRules, isEmailKnown } from './email.ts';
import { hashNewPassword } from './password.ts';

export interface RegistrationServiceDependencies {
  database: Database;
  options: Pick<OptionService, 'get'>;
  accounts: Pick<AccountService, 'open'>;
  codes: Pick<CodeService, 'issue' | 'check' | 'use'>;
  mailer: Pick<Mailer, 'requireReady' | 'send'>;
  /** Gives a new account its first token, where the installation says so. */
  firstToken?(user: UserRow, transaction: Transaction): Promise<void>;
}

export type RegistrationService = ReturnType<typeof createRegistrationService>;

export function createRegistrationService(dependencies: RegistrationServiceDependencies) {
  const { database, options, accounts, codes, mailer, firstToken } = dependencies;

  /** One response and one mail for every address; only who reads its mail learns whether it has an account already. */
  async function sendCode(email: string, language: Language): Promise<void> {
    checkEmailRules(email, options);
    mailer.requireReady();
    const isKnown = await isEmailKnown(database, email);
    const code = await codes.issue('email', emailKey(email), { isDecoy: isKnown });
    const systemName = options.get('SystemName');
    const mail = isKnown
      ? alreadyRegisteredMail(language, systemName)
      : verificationMail(language, systemName, code, codeMinutes);
    mailer.send({ to: email, ...mail });
  }

  /** Opens an account, without signing in. */
  async function register(actor: Actor, input: Register): Promise<void> {
    if (!options.get('RegisterEnabled')) throw new AppError('account.registerOff');
    if (!options.get('PasswordRegisterEnabled')) throw new AppError('account.passwordRegisterOff');
    const proven = await proveEmail(input);
    const { username } = input;
    const password = await hashNewPassword(input.password, username);
    await accounts.open(actor, {
      username,
      display_name: username,
      password,
      inviterCode: input.aff_code,
      ...(proven && { email: input.email }),
      async alongside(transaction, user) {
        if (proven) await codes.use('email', proven, transaction);
        await firstToken?.(user, transaction);
      },
    });
  }

  /** An unproven address is not stored: its real owner could take over the account with a reset mail. */
  async function proveEmail({ email, verification_code }: Register) {
    if (!options.get('EmailVerificationEnabled')) return undefined;
    if (email === '' || verification_code === '') throw new AppError('email.needed');
    checkEmailRules(email, options);
    return codes.check('email', emailKey(email), verification_code);
  }

  return { sendCode, register };
}
