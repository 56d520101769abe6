import { randomBytes } from 'node:crypto';
import { literal } from 'sequelize';
import type { Database } from '../../database/connect.ts';
import type { UserRow } from '../../database/models/user.ts';
import { AppError } from '../../errors/app-error.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Actor } from '../../schemas/actor.ts';
import { userStatus } from '../../schemas/user.ts';
import type { AuditService } from '../audit.ts';

interface EraseDependencies {
  database: Database;
  audit: Pick<AuditService, 'record'>;
  now: Clock;
}

/**
 * Takes out of an account everything that says whose it was, so that its names may be used again. The rows themselves stay with
 * their figures: without them no balance, entry or log row of the account could be proven any more. Log rows and the audit trail
 * keep the name they were written with.
 */
export async function eraseUser(
  { database, audit, now }: EraseDependencies,
  actor: Actor,
  row: UserRow,
): Promise<void> {
  await database.transaction(async (transaction) => {
    const nobody = {
      username: '',
      username_key: `@erased:${row.id}`,
      display_name: '',
      password: '',
      email: '',
      setting: '',
      github_id: '',
      wechat_id: '',
      telegram_id: '',
      linux_do_id: '',
      oidc_id: '',
      access_token_hash: null,
      aff_code: null,
      status: userStatus.disabled,
      deleted_at: row.deleted_at ?? now(),
      session_version: literal('session_version + 1') as unknown as number,
    };
    const [count] = await database.users.update(nobody, { where: { id: row.id, role: row.role }, transaction });
    if (count === 0) throw new AppError('user.changed');
    const where = { user_id: row.id };
    for (const { id } of await database.tokens.findAll({ attributes: ['id'], where, raw: true, transaction })) {
      // A hash no key has: the column is unique and may not be empty.
      const key_hash = `erased:${randomBytes(16).toString('hex')}`;
      const unusable = { key_hash, key_encrypted: '', name: '', allow_ips: '', deleted_at: now() };
      await database.tokens.update(unusable, { where: { id }, transaction });
    }
    await database.sessions.destroy({ where, transaction });
    await database.oneTimeCodes.destroy({ where, transaction });
    await database.signInPlaces.destroy({ where, transaction });
    await database.storedResponses.destroy({ where, transaction });
    await database.twoFactors.destroy({ where, transaction });
    await database.twoFactorCodes.destroy({ where, transaction });
    await database.notices.destroy({ where, transaction });
    await database.taskNotices.destroy({ where, transaction });
    await audit.record(actor, { action: 'user.erase', id: row.id, before: { username: row.username } }, transaction);
  });
}
