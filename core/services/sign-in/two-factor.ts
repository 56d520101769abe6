import { randomBytes } from 'node:crypto';
import { Op, type Transaction } from 'sequelize';
import type { Database } from '../../database/connect.ts';
import type { TwoFactorRow } from '../../database/models/two-factor.ts';
import type { UserRow } from '../../database/models/user.ts';
import { AppError } from '../../errors/app-error.ts';
import { type Clock, nowSeconds } from '../../lib/clock.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import { base32, farSteps, matchTotp, otpauthUrl } from '../../lib/totp.ts';
import { type Actor, role } from '../../schemas/actor.ts';
import type { TwoFactorSetup, TwoFactorStatus } from '../../schemas/two-factor.ts';
import { requireRole } from '../actor.ts';
import type { AuditService } from '../audit.ts';
import type { OptionService } from '../option/option.ts';
import { listedKey } from '../secret.ts';
import { requireRankOver } from '../user/rank.ts';
import { userNotFound } from '../user/store.ts';
import type { FreshSessions } from './fresh-session.ts';
import type { StepUp } from './step-up.ts';
import { createSignInThrottle } from './throttle.ts';

interface TwoFactorDependencies {
  database: Database;
  secretBox: SecretBox;
  options: Pick<OptionService, 'get'>;
  audit: Pick<AuditService, 'record'>;
  requirePassword: StepUp;
  freshSessions: Pick<FreshSessions, 'require'>;
  now?: Clock;
}

export type TwoFactorService = ReturnType<typeof createTwoFactorService>;

const secretBytes = 20;
const backupCodes = 8;

/** A second step at sign-in: codes of an authenticator app, and codes on paper for the day the telephone is lost. */
export function createTwoFactorService(dependencies: TwoFactorDependencies) {
  const { database, secretBox, options, audit, requirePassword, freshSessions, now = nowSeconds } = dependencies;
  const throttle = createSignInThrottle({ database, secretBox, now, purpose: 'two-factor' });
  const textOf = (userId: number, code: string) => `backup code ${userId} ${code}`;

  const factorOf = (userId: number): Promise<TwoFactorRow | null> =>
    database.twoFactors.findByPk(userId, { raw: true });

  async function isOn(userId: number): Promise<boolean> {
    return ((await factorOf(userId))?.enabled_at ?? 0) > 0;
  }

  async function userOf(id: number): Promise<UserRow> {
    const row = await database.users.findOne({ where: { id, deleted_at: null }, raw: true });
    if (!row) throw userNotFound(id);
    return row;
  }

  async function status(actor: Actor): Promise<TwoFactorStatus> {
    const codes = await database.twoFactorCodes.count({ where: { user_id: actor.id } });
    const enabled = await isOn(actor.id);
    return {
      enabled,
      backup_codes_remaining: enabled ? codes : 0,
      password_needed: (await userOf(actor.id)).password !== '',
    };
  }

  /**
   * A new secret and new backup codes, shown this once; nothing is asked for at sign-in before `enable`. With a session
   * that was left open another person could lock the owner out, so the password is asked for; an owner without one signs in again.
   */
  async function setUp(actor: Actor, password: string, sessionId?: string): Promise<TwoFactorSetup> {
    const user = await userOf(actor.id);
    if (user.password !== '') await requirePassword(actor, password);
    else await freshSessions.require(actor, sessionId);
    const bytes = randomBytes(secretBytes);
    const codes = await alone(user.id, async (transaction) => {
      await database.twoFactors.destroy({ where: { user_id: user.id, enabled_at: 0 }, transaction });
      if (await database.twoFactors.findByPk(user.id, { raw: true, transaction }))
        throw new AppError('twoFactor.alreadyOn');
      const secret = secretBox.encrypt(bytes.toString('hex'), twoFactorSecretPlace(user.id));
      await database.twoFactors.create({ user_id: user.id, secret, created_at: now() }, { transaction });
      return replaceCodes(user.id, transaction);
    });
    const secret = base32(bytes);
    const qr_code_data = otpauthUrl({ issuer: options.get('SystemName'), account: user.username, secret });
    return { secret, qr_code_data, backup_codes: codes };
  }

  async function enable(actor: Actor, code: string): Promise<void> {
    const factor = await factorOf(actor.id);
    if (!factor) throw new AppError('twoFactor.notSetUp');
    if (factor.enabled_at > 0) throw new AppError('twoFactor.alreadyOn');
    // A backup code does not show that the app has the secret.
    await verify(await userOf(actor.id), code, actor.address, takeAppCode);
    await database.transaction(async (transaction) => {
      // The secret in the condition: the code proves nothing of one that was set up meanwhile.
      const where = { user_id: actor.id, secret: factor.secret, enabled_at: 0 };
      const [count] = await database.twoFactors.update({ enabled_at: now() }, { where, transaction });
      if (count === 0) throw new AppError('twoFactor.wrongCode');
      await audit.record(actor, { action: 'twoFactor.enable', id: actor.id }, transaction);
    });
  }

  async function disable(actor: Actor, code: string): Promise<void> {
    await requireOn(actor.id);
    await verify(await userOf(actor.id), code, actor.address);
    await drop(actor, actor.id);
  }

  /** For a user who has lost phone and codes. */
  async function remove(actor: Actor, id: number): Promise<void> {
    requireRole(actor, role.admin);
    requireRankOver(actor, await userOf(id));
    await requireOn(id);
    await drop(actor, id);
  }

  async function renewCodes(actor: Actor, code: string): Promise<string[]> {
    await requireOn(actor.id);
    await verify(await userOf(actor.id), code, actor.address);
    return alone(actor.id, async (transaction) => {
      await audit.record(actor, { action: 'twoFactor.newCodes', id: actor.id }, transaction);
      return replaceCodes(actor.id, transaction);
    });
  }

  /** Of two changes at the same moment the later one sees all of the earlier one, and replaces it. */
  function alone<Result>(userId: number, work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    return database.transaction(async (transaction) => {
      await database.users.findByPk(userId, { attributes: ['id'], raw: true, transaction, lock: true });
      return work(transaction);
    });
  }

  async function requireOn(userId: number): Promise<void> {
    if (!(await isOn(userId))) throw new AppError('twoFactor.notOn');
  }

  /** Throws `twoFactor.wrongCode`, and before that the errors that stop guessing. */
  async function verify(user: UserRow, code: string, address: string, take = takeAnyCode): Promise<void> {
    const guess = { account: `#${user.id}`, address, version: user.session_version };
    const { isLocked } = await throttle.begin(guess);
    if (isLocked) throw new AppError('twoFactor.locked');
    const text = code.replace(/[\s-]/g, '').toUpperCase();
    if (!(await take(user.id, text))) {
      await throttle.failed(guess);
      throw new AppError('twoFactor.wrongCode');
    }
    await throttle.succeeded(guess);
  }

  async function takeAnyCode(userId: number, code: string): Promise<boolean> {
    // First: a secret that cannot be decrypted leaves them as the way in.
    return (await takeBackupCode(userId, code)) || (await takeAppCode(userId, code));
  }

  async function takeAppCode(userId: number, code: string): Promise<boolean> {
    const factor = await factorOf(userId);
    if (!factor) return false;
    const { key, key_problem } = listedKey(secretBox, factor.secret, twoFactorSecretPlace(userId));
    if (key_problem !== undefined) throw new AppError('twoFactor.secretUnreadable');
    const secret = Buffer.from(key, 'hex');
    const step = matchTotp(secret, code, now(), factor.last_step);
    if (step === undefined) return false;
    // Of two sign-ins with one code one is the other's listener.
    const where = { user_id: userId, last_step: { [Op.or]: [{ [Op.lt]: step }, { [Op.gt]: step + farSteps }] } };
    const [used] = await database.twoFactors.update({ last_step: step }, { where });
    return used > 0;
  }

  async function takeBackupCode(userId: number, code: string): Promise<boolean> {
    const where = { user_id: userId, code_hash: secretBox.lookupHashes(textOf(userId, code)) };
    return (await database.twoFactorCodes.destroy({ where })) > 0;
  }

  async function replaceCodes(userId: number, transaction: Transaction): Promise<string[]> {
    await database.twoFactorCodes.destroy({ where: { user_id: userId }, transaction });
    const codes = Array.from({ length: backupCodes }, () => base32(randomBytes(5)));
    const rows = codes.map((code) => ({ user_id: userId, code_hash: secretBox.lookupHash(textOf(userId, code)) }));
    await database.twoFactorCodes.bulkCreate(rows, { transaction });
    return codes.map((code) => `${code.slice(0, 4)}-${code.slice(4)}`);
  }

  async function drop(actor: Actor, id: number): Promise<void> {
    await alone(id, async (transaction) => {
      await database.twoFactors.destroy({ where: { user_id: id }, transaction });
      await database.twoFactorCodes.destroy({ where: { user_id: id }, transaction });
      await audit.record(actor, { action: 'twoFactor.disable', id }, transaction);
    });
  }

  return { isOn, status, setUp, enable, disable, remove, renewCodes, verify };
}

export const twoFactorSecretPlace = (userId: number) => `two_factors.secret.${userId}`;
