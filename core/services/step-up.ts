import type { Database } from '../database/connect.ts';
import { AppError } from '../errors/app-error.ts';
import { type Clock, nowSeconds } from '../lib/clock.ts';
import type { SecretBox } from '../lib/secret-box.ts';
import type { Actor } from '../schemas/actor.ts';
import type { AuditService } from './audit.ts';
import { verifyPassword } from './password.ts';
import { createSignInThrottle } from './sign-in-throttle.ts';

interface StepUpDependencies {
  database: Database;
  secretBox: Pick<SecretBox, 'lookupHash'>;
  audit: Pick<AuditService, 'record'>;
  now?: Clock;
}

export type StepUp = ReturnType<typeof createStepUp>;

/** Asks whoever is signed in for the own password again: a session left open, or stolen, is not enough for what follows. */
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
