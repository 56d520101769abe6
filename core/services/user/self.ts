import { Op, UniqueConstraintError } from 'sequelize';
import type { Database } from '../../database/connect.ts';
import type { UserRow } from '../../database/models/user.ts';
import { AppError } from '../../errors/app-error.ts';
import { type Clock, nowSeconds } from '../../lib/clock.ts';
import { randomAccessToken, randomAlphanumerics } from '../../lib/random-key.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import type { EmailBind, SelfUpdate } from '../../schemas/account.ts';
import { type Actor, role } from '../../schemas/actor.ts';
import { emailKey } from '../../schemas/email.ts';
import type { User } from '../../schemas/user.ts';
import { originOf, readStoredSetting, type StoredSetting, type UserSetting } from '../../schemas/user-setting.ts';
import type { CodeService } from '../account/code.ts';
import { checkEmailRules, isEmailTaken } from '../account/email.ts';
import { hashNewPassword } from '../account/password.ts';
import type { AuditService } from '../audit.ts';
import type { OptionService } from '../option/option.ts';
import { sessionHash } from '../sign-in/session-hash.ts';
import type { OwnerCheck, OwnerProof } from '../sign-in/step-up.ts';
import { nameColumns, type UserStore, userNotFound } from './store.ts';
import { ownView } from './view.ts';

export interface SelfServiceDependencies {
  database: Database;
  store: UserStore;
  secretBox: SecretBox;
  options: Pick<OptionService, 'get'>;
  codes: Pick<CodeService, 'check' | 'use'>;
  audit: Pick<AuditService, 'record'>;
  requireOwner: OwnerCheck;
  /** Throws `outbound.refused` for an address that is never called for a user. */
  checkWebhook(address: string): void;
  now?: Clock;
}

export type SelfService = ReturnType<typeof createSelfService>;

/** What people do with their own account; a caller without an account, such as the command line, is not found. */
export function createSelfService(dependencies: SelfServiceDependencies) {
  const { database, store, secretBox, options, codes, audit, now = nowSeconds } = dependencies;
  const { requireOwner, checkWebhook } = dependencies;

  async function get(actor: Actor): Promise<User> {
    return ownView(await store.find(actor.id));
  }

  /** A new password takes the former one. It ends every session and the access token, but not what the call itself came with. */
  async function update(actor: Actor, input: SelfUpdate, sessionId?: string): Promise<User> {
    const row = await store.find(actor.id);
    const fields: Partial<UserRow> = nameColumns(row, input.username);
    if (input.display_name) fields.display_name = input.display_name;
    if (input.password) {
      await requireOwner(actor, { password: input.original_password, sessionId, missing: 'session.oldPasswordNeeded' });
      fields.password = await hashNewPassword(input.password, fields.username ?? row.username);
    }
    const keepSession = sessionId && sessionHash(sessionId);
    const keepAccessToken = sessionId === undefined;
    await store.save({ actor, row, fields, action: 'user.updateSelf', keepSession, keepAccessToken });
    return get(actor);
  }

  async function remove(actor: Actor): Promise<void> {
    const row = await store.find(actor.id);
    if (row.role >= role.root) throw new AppError('user.rootProtected');
    await store.save({ actor, row, fields: { deleted_at: now() }, action: 'user.deleteSelf' });
  }

  /** A new system access token; the former one stops working. Shown this once, stored as a hash. */
  async function createAccessToken(actor: Actor, proof: Pick<OwnerProof, 'password' | 'sessionId'>): Promise<string> {
    const { id, session_version } = await store.find(actor.id);
    await requireOwner(actor, { ...proof, missing: 'session.tokenPasswordNeeded' });
    const token = randomAccessToken();
    await database.transaction(async (transaction) => {
      const access_token_hash = secretBox.lookupHash(token);
      // A password that was changed while the former one was checked shuts out who knows only that one.
      const where = { id, session_version, deleted_at: null };
      const [count] = await database.users.update({ access_token_hash }, { where, transaction });
      if (count === 0) throw new AppError('user.changed');
      await audit.record(actor, { action: 'user.accessToken', id }, transaction);
    });
    return token;
  }

  /** The code others register with; imported accounts may come without one. */
  async function invitationCode(actor: Actor): Promise<string> {
    for (let length = 4; ; length++) {
      const { aff_code } = await store.find(actor.id);
      if (aff_code) return aff_code;
      try {
        const where = { id: actor.id, aff_code: { [Op.or]: [null, ''] } };
        await database.users.update({ aff_code: randomAlphanumerics(length) }, { where });
      } catch (error) {
        if (!(error instanceof UniqueConstraintError)) throw error;
      }
    }
  }

  /** The reader of the mail can set a new password, so the current password is needed. */
  async function bindEmail(actor: Actor, { email, code, password }: EmailBind, sessionId?: string): Promise<void> {
    checkEmailRules(email, options);
    const row = await store.find(actor.id);
    await requireOwner(actor, { password, sessionId, missing: 'session.emailPasswordNeeded' });
    const checked = await codes.check('email', emailKey(email), code);
    await store.save({
      actor,
      row,
      fields: { email },
      action: 'user.bindEmail',
      async alongside(transaction) {
        await codes.use('email', checked, transaction);
        if (await isEmailTaken(database, email, transaction, row.id)) throw new AppError('email.taken');
      },
    });
  }

  async function changeSetting(actor: Actor, input: UserSetting): Promise<void> {
    const { webhook_secret: _, ...shown } = input;
    // Saved anyway, it would be called in vain at each notice, and the user would wait for what never comes.
    if (input.notify_type === 'webhook') checkWebhook(input.webhook_url);
    // Such addresses often carry a key in their path.
    const after = { ...shown, webhook_url: originOf(input.webhook_url) };
    await database.transaction(async (transaction) => {
      const where = { id: actor.id, deleted_at: null };
      const row = await database.users.findOne({ where, raw: true, transaction, lock: transaction.LOCK.UPDATE });
      if (!row) throw userNotFound(actor.id);
      const webhook_secret = keptSecret(row.id, readStoredSetting(row.setting), input);
      const setting = JSON.stringify({ ...input, webhook_secret });
      await database.users.update({ setting }, { where, transaction });
      await audit.record(actor, { action: 'user.setting', id: row.id, after }, transaction);
    });
  }

  /** A stored secret stays with the address it was given for. */
  function keptSecret(id: number, stored: StoredSetting, { webhook_url, webhook_secret }: UserSetting): string {
    if (webhook_url === '') return '';
    if (webhook_secret !== '') return secretBox.encrypt(webhook_secret, webhookSecretPlace(id));
    if (stored.webhook_secret === '') return '';
    if (originOf(stored.webhook_url) !== originOf(webhook_url)) throw new AppError('user.webhookSecretNeeded');
    return stored.webhook_secret;
  }

  return { get, update, remove, createAccessToken, invitationCode, bindEmail, changeSetting };
}

export const webhookSecretPlace = (userId: number) => `users.setting.${userId}`;
