import { checkUserAddress } from '../integrations/outbound/address-rules.ts';
import { createFreshSessions } from '../services/sign-in/fresh-session.ts';
import { createHumanCheck } from '../services/sign-in/human-check.ts';
import { createOutsideSignIn } from '../services/sign-in/outside-sign-in.ts';
import { createSignInProviders } from '../services/sign-in/providers.ts';
import { createSessionService } from '../services/sign-in/session.ts';
import { createOwnerCheck, createStepUp } from '../services/sign-in/step-up.ts';
import { createTwoFactorService } from '../services/sign-in/two-factor.ts';
import { createUserInspection } from '../services/user/inspection.ts';
import { createSelfService } from '../services/user/self.ts';
import type { AccountServices } from './account-services.ts';
import type { CommonServices } from './common-services.ts';
import { type Installation, warn } from './installation.ts';

/** Sessions, second factors and outside sign-in, and what users change about themselves. */
export function createSignInServices({
  now,
  logger,
  database,
  secretBox,
  outbound,
  signInEndpoints,
  options,
  audit,
  accounts,
  userStore,
  tokens,
  codes,
  addressRules,
}: Installation & CommonServices & AccountServices) {
  const stepUp = createStepUp({ now, database, secretBox, audit });
  const freshSessions = createFreshSessions({ now, database, requirePassword: stepUp });
  const requireOwner = createOwnerCheck({ database, requirePassword: stepUp, freshSessions });
  const twoFactors = createTwoFactorService({
    now,
    database,
    secretBox,
    options,
    audit,
    requirePassword: stepUp,
    freshSessions,
  });
  const sessions = createSessionService({ now, database, secretBox, options, audit, twoFactors });
  const { weChat, turnstile, ...providers } = createSignInProviders({ outbound, options, endpoints: signInEndpoints });
  const outsideSignIn = createOutsideSignIn({
    now,
    database,
    secretBox,
    options,
    accounts,
    sessions,
    freshSessions,
    audit,
    providers,
    weChat,
    onError: warn(logger, 'a sign-in service did not confirm a user'),
  });
  return {
    stepUp,
    freshSessions,
    twoFactors,
    sessions,
    outsideSignIn,
    oidc: providers.oidc,
    humanCheck: createHumanCheck({ now, options, secretBox, turnstile }),
    userInspection: createUserInspection({ now, database, tokens, sessions }),
    self: createSelfService({
      now,
      database,
      store: userStore,
      secretBox,
      options,
      codes,
      audit,
      requireOwner,
      checkWebhook: (address) => checkUserAddress(address, addressRules),
    }),
  };
}
