import { createLedger } from '../../core/billing/ledger.ts';
import { checkChannelBaseUrl } from '../../core/integrations/outbound/address-rules.ts';
import { createSecretBox } from '../../core/lib/secret-box.ts';
import { type Actor, role, systemActor } from '../../core/schemas/actor.ts';
import { type UserCreate, userCreateSchema } from '../../core/schemas/user.ts';
import { createAbilityService } from '../../core/services/ability.ts';
import { createAccountService } from '../../core/services/account/account.ts';
import { createCodeService } from '../../core/services/account/code.ts';
import { createRootAccountService } from '../../core/services/account/root-account.ts';
import { createAuditService } from '../../core/services/audit.ts';
import { createChannelService } from '../../core/services/channel/channel.ts';
import { createGroupService } from '../../core/services/group/group.ts';
import { createLogService } from '../../core/services/log/log.ts';
import { createOptionService } from '../../core/services/option/option.ts';
import { createFreshSessions } from '../../core/services/sign-in/fresh-session.ts';
import { createSessionService } from '../../core/services/sign-in/session.ts';
import { createOwnerCheck, createStepUp } from '../../core/services/sign-in/step-up.ts';
import { createSignInThrottle } from '../../core/services/sign-in/throttle.ts';
import { createTwoFactorService } from '../../core/services/sign-in/two-factor.ts';
import { createTokenService } from '../../core/services/token/token.ts';
import { createSelfService } from '../../core/services/user/self.ts';
import { createUserStore } from '../../core/services/user/store.ts';
import { createUserService } from '../../core/services/user/user.ts';
import { createRedemptionService } from '../../core/services/wallet/redemption.ts';
import { createWalletService } from '../../core/services/wallet/wallet.ts';
import { primaryReports } from './primary-reports.ts';
import { createTemporaryDatabase, type Engine } from './temporary-database.ts';

const addressRules = { upstreamPrivate: ['10.1.2.3'], closedEndpoints: [{ host: '127.0.0.1', port: 5432 }] };

/** The services of an installation on a database of its own, without server and relay. */
export async function createTestServices(engine: Engine) {
  const bed = await createTemporaryDatabase(engine);
  const { database } = bed;
  let offsetSeconds = 0;
  const now = () => Math.floor(Date.now() / 1000) + offsetSeconds;
  const secretBox = createSecretBox(['test']);
  const audit = createAuditService({ database, now });
  const checkAddress = (address: string, privateAllowed: boolean) =>
    checkChannelBaseUrl(address, privateAllowed ? 'operatorPrivate' : 'operator', addressRules);
  const options = createOptionService({
    database,
    secretBox,
    audit,
    now,
    checkAddress: (address) => void checkAddress(address, true),
  });
  await options.load();
  const groups = createGroupService({ options });
  const logs = createLogService({ database, reports: primaryReports(database), secretBox, audit, now });
  const ledger = await createLedger({ database: bed.target, dataDirectory: bed.directory, log: () => {} });
  const accounts = createAccountService({ database, options, logs, audit, now });
  const store = createUserStore({ database, audit });
  const users = createUserService({ database, store, accounts, groups, logs, audit, now });
  const codes = createCodeService({ database, secretBox, now });
  const tokens = createTokenService({ database, secretBox, groups, audit, now });
  const abilities = createAbilityService({ database });
  const channels = createChannelService({ database, secretBox, abilities, options, audit, checkAddress, now });
  const throttle = createSignInThrottle({ database, secretBox, now, purpose: 'sign-in' });
  const requirePassword = createStepUp({ database, secretBox, audit, now });
  const freshSessions = createFreshSessions({ database, requirePassword, now });
  const requireOwner = createOwnerCheck({ database, requirePassword, freshSessions });
  const checkWebhook = () => {};
  const self = createSelfService({
    database,
    store,
    secretBox,
    options,
    codes,
    audit,
    requireOwner,
    checkWebhook,
    now,
  });
  const twoFactors = createTwoFactorService({
    database,
    secretBox,
    options,
    audit,
    requirePassword,
    freshSessions,
    now,
  });
  const sessions = createSessionService({ database, secretBox, options, audit, twoFactors, throttle, now });
  const redemptions = createRedemptionService({ database, secretBox, options, logs, audit, now });
  const alarms: string[] = [];
  const wallet = createWalletService({
    database,
    secretBox,
    options,
    logs,
    audit,
    onAlarm: (text) => alarms.push(text),
    now,
  });
  const root = createRootAccountService({ database, secretBox, ledger, accounts, store, tokens, audit });

  return {
    bed,
    database,
    secretBox,
    audit,
    options,
    groups,
    logs,
    ledger,
    accounts,
    users,
    codes,
    self,
    store,
    tokens,
    abilities,
    channels,
    sessions,
    twoFactors,
    throttle,
    redemptions,
    wallet,
    alarms,
    root,
    now,
    async remove() {
      await ledger.close();
      await bed.remove();
    },
    /** Turns the services' clock, not the machine's. */
    advance(seconds: number) {
      offsetSeconds += seconds;
    },
    /** A user with the password `right horse 1` and the actor that stands for them. */
    async createUser(username: string, values: Partial<UserCreate> & { role?: number } = {}): Promise<Actor> {
      const input = userCreateSchema.parse({ username, password: 'right horse 1', ...values, role: undefined });
      const { id } = await users.create(systemActor, input);
      if (values.role) await database.users.update({ role: values.role }, { where: { id } });
      return { id, name: username, role: values.role ?? role.user, address: '127.0.0.1' };
    },
  };
}

export type TestServices = Awaited<ReturnType<typeof createTestServices>>;
