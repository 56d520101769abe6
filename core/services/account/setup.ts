import { Op } from 'sequelize';
import type { Database } from '../../database/connect.ts';
import { AppError } from '../../errors/app-error.ts';
import { type Actor, role, systemActor } from '../../schemas/actor.ts';
import type { Setup, SetupState, SetupSteps } from '../../schemas/setup.ts';
import { requireRole } from '../actor.ts';
import type { OptionService } from '../option/option.ts';
import type { RootAccountService } from './root-account.ts';

export interface SetupServiceDependencies {
  database: Pick<Database, 'engine' | 'channels' | 'tokens' | 'users'>;
  rootAccount: Pick<RootAccountService, 'hasDefaultPassword' | 'replaceDefaultPassword'>;
  options: Pick<OptionService, 'put' | 'load'>;
}

export interface SetupService {
  /** An installation is set up once root has a password of its own. */
  isDone(): Promise<boolean>;
  state(): Promise<SetupState>;
  /** How far root has come from a fresh installation to a service. */
  steps(actor: Actor): Promise<SetupSteps>;
  /** Gives root name and password. The server listens on loopback only until then, so the caller is on this machine. */
  run(input: Setup, address: string): Promise<void>;
}

export function createSetupService({ database, rootAccount, options }: SetupServiceDependencies): SetupService {
  let isKnownDone = false;

  async function isDone(): Promise<boolean> {
    // No password that is set later can be the default one again.
    isKnownDone ||= !(await rootAccount.hasDefaultPassword());
    return isKnownDone;
  }

  async function steps(actor: Actor): Promise<SetupSteps> {
    requireRole(actor, role.root);
    const one = { attributes: ['id'], raw: true as const };
    const [password, channel, token, served] = await Promise.all([
      isDone(),
      database.channels.findOne(one),
      // Rows of deleted tokens stay.
      database.tokens.findOne({ ...one, where: { user_id: actor.id } }),
      // Tests of channels are not counted there.
      database.users.findOne({ ...one, where: { request_count: { [Op.gt]: 0 } } }),
    ]);
    // A request that was served needed a channel and a token, wherever they are now.
    const call = served !== null;
    return { password, channel: call || channel !== null, token: call || token !== null, call };
  }

  return {
    isDone,
    steps,
    async state() {
      const status = await isDone();
      // Root is made at the first start, so that much is always done.
      return status
        ? { status, root_init: false, database_type: '' }
        : { status, root_init: true, database_type: database.engine };
    },
    async run({ username, password, confirmPassword, ...switches }, address) {
      if (await isDone()) throw new AppError('setup.done');
      if (password !== confirmPassword) throw new AppError('setup.passwordsDiffer');
      const actor = { ...systemActor, address };
      const entries = Object.entries(switches).map(([key, value]) => ({ key, value: String(value) }));
      const root = await rootAccount.replaceDefaultPassword({
        actor,
        username,
        password,
        action: 'user.update',
        // Two nodes may be asked at once: the switches of the one that comes too late are not stored either.
        alongside: (transaction) => options.put(actor, entries, transaction),
      });
      if (!root) throw new AppError('setup.done');
      await options.load();
    },
  };
}
