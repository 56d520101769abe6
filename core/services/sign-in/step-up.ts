import type { Database } from '../../database/connect.ts';
import { AppError } from '../../errors/app-error.ts';
import { type Clock, nowSeconds } from '../../lib/clock.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import type { Actor } from '../../schemas/actor.ts';
import { verifyPassword } from '../account/password.ts';
import type { AuditService } from '../audit.ts';
import { createSignInThrottle } from './throttle.ts';

interface StepUpDependencies {
  database: Database;
  secretBox: Pick<SecretBox, 'lookupHash'>;
  audit: Pick<AuditService, 'record'>;
  now?: Clock;
}

export interface OwnerProof {
  /** '' or left out where none was sent. */
  password?: string | undefined;
  /** The secret of the session cookie, if the call came with one. */
  sessionId?: string | undefined;
  /** What is said where the password is missing: it names the field it goes into. */
  missing: 'session.oldPasswordNeeded' | 'session.tokenPasswordNeeded' | 'session.emailPasswordNeeded';
}

export type StepUp = ReturnType<typeof createStepUp>;
export type OwnerCheck = ReturnType<typeof createOwnerCheck>;

/** Asks the signed-in user for the password again: a session left open, or stolen, is not enough for what follows. */
export function createStepUp({ database, secretBox, audit, now = nowSeconds }: StepUpDependencies) {
  const throttle = createSignInThrottle({ database, secretBox, now, purpose: 'step-up' });

  return async function requirePassword(actor: Actor, password: string): Promise<void> {
    const guess = { account: String(actor.id), address: actor.address, version: 0 };
    await throttle.begin(guess);
    const where = { id: actor.id, deleted_at: null };
    const row = await database.users.findOne({ attributes: ['password'], where, raw: true });
    const isRight = Boolean(row?.password) && (await verifyPassword(password, row?.password ?? '')).ok;
    if (isRight) return throttle.succeeded(guess);
    await throttle.failed(guess);
    await audit.record(actor, { action: 'session.stepUpFailed', id: actor.id });
    throw new AppError('session.wrongPassword');
  };
}

interface OwnerCheckDependencies {
  database: Database;
  requirePassword: StepUp;
  freshSessions: { isFresh(actor: Actor, sessionId: string | undefined): Promise<boolean> };
}

/**
 * Before actions that would let an intruder stay in the account: the own password once more. An account that has none, because its owner signs
 * in elsewhere, shows a sign-in of a moment ago in its place; with a second step that one took a code as well.
 */
export function createOwnerCheck({ database, requirePassword, freshSessions }: OwnerCheckDependencies) {
  return async function requireOwner(actor: Actor, { password = '', sessionId, missing }: OwnerProof): Promise<void> {
    const where = { id: actor.id, deleted_at: null };
    const row = await database.users.findOne({ attributes: ['password'], where, raw: true });
    if (row?.password) {
      if (password === '') throw new AppError(missing);
      return requirePassword(actor, password);
    }
    if (!(await freshSessions.isFresh(actor, sessionId))) throw new AppError('session.freshNeeded');
  };
}
