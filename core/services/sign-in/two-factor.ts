import { randomBytes } from 'node:crypto';
import type { Transaction } from 'sequelize';
import type { Database } from '../../database/connect.ts';
import type { UserRow } from '../../database/models/user.ts';
import { AppError } from '../../errors/app-error.ts';
import { type Clock, nowSeconds } from '../../lib/clock.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import { base32, matchTotp, otpauthUrl } from '../../lib/totp.ts';
import { type Actor, role } from '../../schemas/actor.ts';
import type { TwoFactorSetup, TwoFactorStatus } from '../../schemas/two-factor.ts';
import { requireRole } from '../actor.ts';
import type { AuditService } from '../audit.ts';
import type { OptionService } from '../option/option.ts';
import { openSecret } from '../secret.ts';
import { requireRankOver } from '../user/rank.ts';
import { userNotFound } from '../user/store.ts';
import type { StepUp } from './step-up.ts';
import { createSignInThrottle } from './throttle.ts';

interface TwoFactorDependencies {
  database: Database;
  secretBox: SecretBox;
  options: Pick<OptionService, 'get'>;
  audit: Pick<AuditService, 'record'>;
  requirePassword: StepUp;
  now?: Clock;
}

interface FactorRow {
  user_id: number;
  /** Encrypted. */
  secret: string;
  created_at: number;
  /** 0 until a first code has shown that the app has the secret. */
  enabled_at: number;
  /** Of the last code used: none is good twice. */
  last_step: number;
}

export type TwoFactorService = ReturnType<typeof createTwoFactorService>;

const secretBytes = 20;
const backupCodes = 8;

/** A second step at sign-in: codes of an authenticator app, and codes on paper for the day the telephone is lost. */
export function createTwoFactorService(dependencies: TwoFactorDependencies) {
  const { database, secretBox, options, audit, requirePassword, now = nowSeconds } = dependencies;
  const throttle = createSignInThrottle({ database, secretBox, now, purpose: 'two-factor' });
  const textOf = (userId: number, code: string) => `backup code ${userId} ${code}`;

  async function factorOf(userId: number): Promise<FactorRow | undefined> {
    const [row] = await database.select<FactorRow>('SELECT * FROM two_factors WHERE user_id = :userId', { userId });
    return row;
  }

  async function isOn(userId: number): Promise<boolean> {
    return ((await factorOf(userId))?.enabled_at ?? 0) > 0;
  }

  async function userOf(id: number): Promise<UserRow> {
    const row = await database.users.findOne({ where: { id, deleted_at: null }, raw: true });
    if (!row) throw userNotFound(id);
    return row;
  }

  async function status(actor: Actor): Promise<TwoFactorStatus> {
    const [codes] = await database.select<{ count: number }>(
      'SELECT count(*) AS count FROM two_factor_codes WHERE user_id = :userId',
      { userId: actor.id },
    );
    const enabled = await isOn(actor.id);
    return {
      enabled,
      backup_codes_remaining: enabled ? Number(codes?.count ?? 0) : 0,
      password_needed: (await userOf(actor.id)).password !== '',
    };
  }

  /**
   * A new secret and new backup codes, shown this once; nothing is asked for at sign-in before `enable`. With a session
   * that was left open somebody else could lock the owner out, so the password is asked for where there is one.
   */
  async function setUp(actor: Actor, password: string): Promise<TwoFactorSetup> {
    const user = await userOf(actor.id);
    if (user.password !== '') await requirePassword(actor, password);
    const bytes = randomBytes(secretBytes);
    const codes = await database.transaction(async (transaction) => {
      await database.sequelize.query('DELETE FROM two_factors WHERE user_id = :id AND enabled_at = 0', {
        replacements: { id: user.id },
        transaction,
      });
      const replacements = {
        id: user.id,
        secret: secretBox.encrypt(bytes.toString('hex'), twoFactorSecretPlace(user.id)),
        now: now(),
      };
      await database.sequelize.query(
        `INSERT INTO two_factors (user_id, secret, created_at) VALUES (:id, :secret, :now)
         ON CONFLICT (user_id) DO NOTHING`,
        { replacements, transaction },
      );
      const [stored] = await database.select<FactorRow>(
        'SELECT * FROM two_factors WHERE user_id = :id',
        replacements,
        transaction,
      );
      if (stored?.secret !== replacements.secret) throw new AppError('twoFactor.alreadyOn');
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
      await database.sequelize.query('UPDATE two_factors SET enabled_at = :now WHERE user_id = :id', {
        replacements: { now: now(), id: actor.id },
        transaction,
      });
      await audit.record(actor, { action: 'twoFactor.enable', id: actor.id }, transaction);
    });
  }

  async function disable(actor: Actor, code: string): Promise<void> {
    await requireOn(actor.id);
    await verify(await userOf(actor.id), code, actor.address);
    await drop(actor, actor.id);
  }

  /** For somebody who has lost telephone and codes. */
  async function remove(actor: Actor, id: number): Promise<void> {
    requireRole(actor, role.admin);
    requireRankOver(actor, await userOf(id));
    await requireOn(id);
    await drop(actor, id);
  }

  async function renewCodes(actor: Actor, code: string): Promise<string[]> {
    await requireOn(actor.id);
    await verify(await userOf(actor.id), code, actor.address);
    return database.transaction(async (transaction) => {
      await audit.record(actor, { action: 'twoFactor.newCodes', id: actor.id }, transaction);
      return replaceCodes(actor.id, transaction);
    });
  }

  async function requireOn(userId: number): Promise<void> {
    if (!(await isOn(userId))) throw new AppError('twoFactor.notOn');
  }

  /** Throws `twoFactor.wrongCode`, and before that whatever stops somebody who guesses. */
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
    return (await takeAppCode(userId, code)) || (await takeBackupCode(userId, code));
  }

  async function takeAppCode(userId: number, code: string): Promise<boolean> {
    const factor = await factorOf(userId);
    if (!factor) return false;
    const secret = Buffer.from(openSecret(secretBox, factor.secret, twoFactorSecretPlace(userId)), 'hex');
    const step = matchTotp(secret, code, now(), factor.last_step);
    if (step === undefined) return false;
    // Of two sign-ins with one code one is the other's listener.
    const used = await database.select(
      'UPDATE two_factors SET last_step = :step WHERE user_id = :userId AND last_step < :step RETURNING user_id',
      { userId, step },
    );
    return used.length > 0;
  }

  async function takeBackupCode(userId: number, code: string): Promise<boolean> {
    const used = await database.select(
      'DELETE FROM two_factor_codes WHERE user_id = :userId AND code_hash IN (:hashes) RETURNING user_id',
      { userId, hashes: secretBox.lookupHashes(textOf(userId, code)) },
    );
    return used.length > 0;
  }

  async function replaceCodes(userId: number, transaction: Transaction): Promise<string[]> {
    await dropFrom('two_factor_codes', userId, transaction);
    const codes = Array.from({ length: backupCodes }, () => base32(randomBytes(5)));
    for (const code of codes) {
      await database.sequelize.query('INSERT INTO two_factor_codes (user_id, code_hash) VALUES (:userId, :hash)', {
        replacements: { userId, hash: secretBox.lookupHash(textOf(userId, code)) },
        transaction,
      });
    }
    return codes.map((code) => `${code.slice(0, 4)}-${code.slice(4)}`);
  }

  async function drop(actor: Actor, id: number): Promise<void> {
    await database.transaction(async (transaction) => {
      for (const table of ['two_factors', 'two_factor_codes'] as const) await dropFrom(table, id, transaction);
      await audit.record(actor, { action: 'twoFactor.disable', id }, transaction);
    });
  }

  async function dropFrom(table: 'two_factors' | 'two_factor_codes', id: number, transaction: Transaction) {
    await database.sequelize.query(`DELETE FROM ${table} WHERE user_id = :id`, { replacements: { id }, transaction });
  }

  return { isOn, status, setUp, enable, disable, remove, renewCodes, verify };
}

export const twoFactorSecretPlace = (userId: number) => `two_factors.secret.${userId}`;
