import { randomBytes } from 'node:crypto';
import type { Database } from '../../database/connect.ts';
import { AppError, type Language } from '../../errors/app-error.ts';
import type { Mailer } from '../../integrations/mail/mailer.ts';
import type { Reset } from '../../schemas/account.ts';
import type { Actor } from '../../schemas/actor.ts';
import { emailKey } from '../../schemas/email.ts';
import { userStatus } from '../../schemas/user.ts';
import { resetMail } from '../notice/mail-text.ts';
import type { OptionService } from '../option/option.ts';
import { publicAddress } from '../option/public-address.ts';
import type { UserStore } from '../user/store.ts';
import { type CodeService, codeMinutes } from './code.ts';
import { findByEmail } from './email.ts';
import { hashKnownPassword } from './password.ts';

export interface PasswordResetServiceDependencies {
  database: Database;
  store: UserStore;
  options: Pick<OptionService, 'get'>;
  codes: Pick<CodeService, 'issue' | 'check' | 'use'>;
  mailer: Pick<Mailer, 'requireReady' | 'send'>;
}

export type PasswordResetService = ReturnType<typeof createPasswordResetService>;

export function createPasswordResetService(dependencies: PasswordResetServiceDependencies) {
  const { database, store, options, codes, mailer } = dependencies;

  /** The same response, and the same rows, whether or not an account has this address. */
  async function request(email: string, language: Language): Promise<void> {
    mailer.requireReady();
    const address = publicAddress(options);
    const found = await findByEmail(database, email);
    // A new password would not let a banned user in.
    const user = found?.status === userStatus.enabled ? found : undefined;
    const token = await codes.issue('reset', emailKey(email), { userId: user?.id ?? 0, isDecoy: !user });
    if (!user) return;
    const link = `${address}/user/reset?email=${encodeURIComponent(user.email)}&token=${token}`;
    mailer.send({ to: user.email, ...resetMail(language, options.get('SystemName'), link, codeMinutes) });
  }

  /** A new password, shown this once; every session of the account ends, and its access token. */
  async function complete(actor: Actor, { email, token }: Reset): Promise<string> {
    const checked = await codes.check('reset', emailKey(email), token);
    const row = await database.users.findOne({ where: { id: checked.userId, deleted_at: null }, raw: true });
    // A link in the mail of an address the account has left since opens nothing.
    if (!row || emailKey(row.email) !== emailKey(email)) throw new AppError('code.resetInvalid');
    const password = randomBytes(6).toString('hex');
    await store.save({
      actor,
      row,
      action: 'user.resetPassword',
      fields: { password: await hashKnownPassword(password) },
      alongside: (transaction) => codes.use('reset', checked, transaction),
    });
    return password;
  }

  return { request, complete };
}
