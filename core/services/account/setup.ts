import type { Database } from '../../database/connect.ts';
import { AppError } from '../../errors/app-error.ts';
import { role, systemActor } from '../../schemas/actor.ts';
import type { Setup, SetupState } from '../../schemas/setup.ts';
import { coded } from '../../text/coded.ts';
import type { OptionService } from '../option/option.ts';
import type { UserService } from '../user/user.ts';
import type { RootAccountService } from './root-account.ts';

export interface SetupServiceDependencies {
  database: Database;
  rootAccount: Pick<RootAccountService, 'hasDefaultPassword'>;
  users: Pick<UserService, 'update'>;
  options: Pick<OptionService, 'setMany'>;
}

export interface SetupService {
  /** An installation is set up once root has a password of its own. */
  isDone(): Promise<boolean>;
  state(): Promise<SetupState>;
  /** Gives root name and password. The server listens on loopback only until then, so the caller is on this machine. */
  run(input: Setup, address: string): Promise<void>;
}

export function createSetupService({ database, rootAccount, users, options }: SetupServiceDependencies): SetupService {
  let isKnownDone = false;
  let running: Promise<void> = Promise.resolve();

  async function isDone(): Promise<boolean> {
    // No password that is set later can be the default one again.
    isKnownDone ||= !(await rootAccount.hasDefaultPassword());
    return isKnownDone;
  }

  async function setUp(input: Setup, address: string): Promise<void> {
    if (await isDone()) throw new AppError('setup.done');
    const { username, password, confirmPassword, SelfUseModeEnabled, DemoSiteEnabled } = input;
    if (password !== confirmPassword) throw new AppError('setup.passwordsDiffer');
    const where = { role: role.root, deleted_at: null };
    const root = await database.users.findOne({ where, order: [['id', 'ASC']], raw: true });
    if (!root) throw new AppError('object.notFound', { what: coded('noun.user'), id: 'root', noun: 'user' });
    const actor = { ...systemActor, address };
    await options.setMany(actor, [
      { key: 'SelfUseModeEnabled', value: String(SelfUseModeEnabled) },
      { key: 'DemoSiteEnabled', value: String(DemoSiteEnabled) },
    ]);
    await users.update(actor, { id: root.id, username, password });
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
    run(input, address) {
      // One after the other: the second finds that it is done.
      const result = running.then(() => setUp(input, address));
      running = result.catch(() => {});
      return result;
    },
  };
}
