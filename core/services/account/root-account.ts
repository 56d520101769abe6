import type { Ledger } from '../../billing/ledger.ts';
import type { Config } from '../../config.ts';
import type { Database } from '../../database/connect.ts';
import type { UserRow } from '../../database/models/user.ts';
import { AppError } from '../../errors/app-error.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import { type Actor, role, systemActor } from '../../schemas/actor.ts';
import { tokenCreateSchema } from '../../schemas/token.ts';
import { coded } from '../../text/coded.ts';
import type { AuditService } from '../audit.ts';
import type { TokenService } from '../token/token.ts';
import { nameColumns, type UserSave, type UserStore } from '../user/store.ts';
import type { AccountService } from './account.ts';
import {
  defaultRootHash,
  defaultRootPassword,
  hashNewPassword,
  refuseRootPassword,
  verifyPassword,
} from './password.ts';

/** 200 US dollars, as every console of this family starts with. */
const startQuota = 100_000_000;

export interface RootAccountDependencies {
  database: Database;
  secretBox: SecretBox;
  ledger: Pick<Ledger, 'credit'>;
  accounts: Pick<AccountService, 'insert'>;
  store: Pick<UserStore, 'save'>;
  tokens: Pick<TokenService, 'create'>;
  audit: Pick<AuditService, 'record'>;
}

type StartSettings = Pick<Config, 'rootPassword' | 'initialRootToken' | 'initialRootAccessToken'>;

export interface RootAccountService {
  /** Makes the first root user and what the environment gives it, each only when it is not there. Safe to repeat at every start. */
  ensure(settings: StartSettings): Promise<{ created: boolean }>;
  /** While true the server listens on loopback only. */
  hasDefaultPassword(): Promise<boolean>;
  /**
   * The account as it is afterward. Undefined, with nothing changed, when root has a password of its own: of several that ask at the
   * same moment, on whichever node, one is first, and only its password is the right one.
   */
  replaceDefaultPassword(first: FirstPassword): Promise<Pick<UserRow, 'username'> | undefined>;
}

export interface FirstPassword extends Pick<UserSave, 'action' | 'alongside'> {
  actor: Actor;
  /** The name stays when left out. */
  username?: string;
  password: string;
}

export function createRootAccountService(dependencies: RootAccountDependencies): RootAccountService {
  const { database, secretBox, ledger, accounts, store, tokens, audit } = dependencies;
  const checked = new Map([[defaultRootHash, Promise.resolve(true)]]);
  let initialAccessToken: string | undefined;

  const findRoots = () =>
    database.users.findAll({ where: { role: role.root, deleted_at: null }, order: [['id', 'ASC']], raw: true });

  async function ensure(settings: StartSettings): Promise<{ created: boolean }> {
    const created = (await findRoots()).length === 0 && (await createRoot(settings.rootPassword));
    const [root] = await findRoots();
    if (!root) throw new AppError('object.nameTaken', { what: coded('noun.user'), name: 'root' });
    if (await hasEmptyBooks(root)) {
      const ref = `user:${root.id}:initial`;
      await ledger.credit({ userId: root.id, kind: 'initial', ref, amount: startQuota, actorId: systemActor.id });
    }
    if (settings.initialRootToken) await ensureToken(root, settings.initialRootToken);
    initialAccessToken = settings.initialRootAccessToken;
    await ensureAccessToken(root);
    return { created };
  }

  async function createRoot(wished: string | undefined): Promise<boolean> {
    refuseRootPassword(wished);
    const isDefault = wished === undefined || wished === defaultRootPassword;
    const password = isDefault ? defaultRootHash : await hashNewPassword(wished, 'root');
    const values = { username: 'root', display_name: 'Root User', role: role.root, password };
    try {
      await accounts.insert(async (transaction, addRow) => {
        const root = await addRow(values);
        const event = { action: 'user.create', id: root.id, after: { username: 'root' } };
        await audit.record(systemActor, event, transaction);
        return root;
      });
      checked.set(password, Promise.resolve(isDefault));
      return true;
    } catch (error) {
      // Another process that started at the same moment was first.
      if (error instanceof AppError && error.code === 'object.nameTaken' && (await findRoots()).length > 0)
        return false;
      throw error;
    }
  }

  /** The start quota is booked after the row is there; a crash in between is made good at the next start. */
  async function hasEmptyBooks(root: UserRow): Promise<boolean> {
    if (root.quota !== 0 || root.used_quota !== 0) return false;
    // SQL: the entries are the ledger's.
    const replacements = { id: root.id };
    const entries = await database.select('SELECT 1 FROM quota_entries WHERE user_id = :id LIMIT 1', replacements);
    return entries.length === 0;
  }

  async function ensureToken(root: UserRow, credential: string): Promise<void> {
    const key = credential.replace(/^sk-/, '');
    // A '-' would read as the channel pin behind a key.
    if (!/^[0-9A-Za-z]{16,128}$/.test(key)) throw new AppError('token.keyForm');
    const known = await database.tokens.findOne({ where: { key_hash: secretBox.lookupHashes(key) }, raw: true });
    if (known) return;
    const input = tokenCreateSchema.parse({ name: 'Initial Root Token', unlimited_quota: true });
    try {
      await tokens.create(systemActor, input, { userId: root.id, key });
    } catch (error) {
      // Another process that started at the same moment was first.
      if (!(error instanceof AppError && error.code === 'token.keyTaken')) throw error;
    }
  }

  async function ensureAccessToken(root: UserRow): Promise<void> {
    if (!initialAccessToken) return;
    const values = { access_token_hash: secretBox.lookupHash(initialAccessToken) };
    await database.users.update(values, { where: { id: root.id, access_token_hash: null } });
  }

  async function hasDefaultPassword(): Promise<boolean> {
    // SQL: console calls behind a proxy ask this each time; the passwords are all they need of the rows, each once.
    const stored = await database.select<{ password: string }>(
      'SELECT DISTINCT password FROM users WHERE role = :role AND deleted_at IS NULL',
      { role: role.root },
    );
    for (const { password } of stored) {
      if (await isDefault(password)) return true;
    }
    return false;
  }

  /** One check takes a quarter of a second of a core, and many may ask at once; a stored hash never changes its result. */
  function isDefault(password: string): Promise<boolean> {
    const result = checked.get(password) ?? verifyPassword(defaultRootPassword, password).then(({ ok }) => ok);
    checked.set(password, result);
    result.catch(() => checked.delete(password));
    return result;
  }

  async function withDefaultPassword(): Promise<UserRow | undefined> {
    for (const root of await findRoots()) {
      if (await isDefault(root.password)) return root;
    }
    return undefined;
  }

  async function replaceDefaultPassword({ actor, username, password, ...change }: FirstPassword) {
    const row = await withDefaultPassword();
    if (!row) return undefined;
    const fields = {
      ...nameColumns(row, username),
      password: await hashNewPassword(password, username ?? row.username),
    };
    try {
      await store.save({ actor, row, fields, ...change });
    } catch (error) {
      // Hashing takes a while: another one was first.
      const isChanged = error instanceof AppError && error.code === 'user.changed';
      if (isChanged && !(await withDefaultPassword())) return undefined;
      throw error;
    }
    // The one that the environment gives root ended with the former password, as every other does.
    await ensureAccessToken(row);
    return { username: fields.username ?? row.username };
  }

  return { ensure, hasDefaultPassword, replaceDefaultPassword };
}
