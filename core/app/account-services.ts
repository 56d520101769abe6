import { createAccountService } from '../services/account/account.ts';
import { createCodeService } from '../services/account/code.ts';
import { createFirstToken } from '../services/account/first-token.ts';
import { createPasswordResetService } from '../services/account/password-reset.ts';
import { createRegistrationService } from '../services/account/registration.ts';
import { createRootAccountService } from '../services/account/root-account.ts';
import { createSetupService } from '../services/account/setup.ts';
import { createTokenService } from '../services/token/token.ts';
import { createUserStore } from '../services/user/store.ts';
import { createUserService } from '../services/user/user.ts';
import type { CommonServices } from './common-services.ts';
import type { Installation } from './installation.ts';
import type { NoticeServices } from './notice-services.ts';

/** Users and their tokens: how an account begins, changes and ends. */
export function createAccountServices({
  now,
  config,
  database,
  ledger,
  secretBox,
  options,
  groups,
  logs,
  audit,
  mailer,
}: Installation & CommonServices & Pick<NoticeServices, 'mailer'>) {
  const accounts = createAccountService({ now, database, options, logs, audit });
  const userStore = createUserStore({ database, audit });
  const users = createUserService({ now, database, store: userStore, accounts, groups, logs, audit });
  const codes = createCodeService({ now, database, secretBox });
  const tokens = createTokenService({ now, database, secretBox, groups, audit });
  const rootAccount = createRootAccountService({
    database,
    secretBox,
    ledger,
    accounts,
    store: userStore,
    tokens,
    audit,
  });
  const firstToken = createFirstToken({ database, secretBox, audit });
  const registration = createRegistrationService({
    database,
    options,
    accounts,
    codes,
    mailer,
    ...(config.generateDefaultToken && { firstToken }),
  });
  return {
    accounts,
    userStore,
    users,
    codes,
    tokens,
    rootAccount,
    registration,
    setup: createSetupService({ database, rootAccount, options }),
    passwordReset: createPasswordResetService({ database, store: userStore, options, codes, mailer }),
  };
}

export type AccountServices = ReturnType<typeof createAccountServices>;
