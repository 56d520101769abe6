import type { Database } from '../../database/connect.ts';
import { AppError } from '../../errors/app-error.ts';
import { systemActor } from '../../schemas/actor.ts';
import type { Setup, SetupState } from '../../schemas/setup.ts';
import type { OptionService } from '../option/option.ts';
import type { RootAccountService } from './root-account.ts';

export interface SetupServiceDependencies {
  database: Pick<Database, 'engine'>;
  rootAccount: Pick<RootAccountService, 'hasDefaultPassword' | 'replaceDefaultPassword'>;
  options: Pick<OptionService, 'put' | 'load'>;
}

export interface SetupService {
  /** An installation is set up once root has a password of its own. */
  isDone(): Promise<boolean>;
  state(): Promise<SetupState>;
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

  return {
    isDone,
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
