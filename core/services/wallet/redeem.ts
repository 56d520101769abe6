import { bookEarnedCredit } from '../../billing/earned-credit.ts';
import type { Database } from '../../database/connect.ts';
import type { RedemptionRow } from '../../database/models/redemption.ts';
import { AppError } from '../../errors/app-error.ts';
import { type Clock, nowSeconds } from '../../lib/clock.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import { type Actor, role } from '../../schemas/actor.ts';
import { redemptionStatus } from '../../schemas/redemption.ts';
import { codedText } from '../../text/text.ts';
import { requireRole } from '../actor.ts';
import type { AuditService } from '../audit.ts';
import type { LogService } from '../log/log.ts';

export interface RedeemDependencies {
  database: Database;
  secretBox: SecretBox;
  logs: Pick<LogService, 'record'>;
  audit: Pick<AuditService, 'record'>;
  now?: Clock;
}

export const redemptionKeyForm = /^[0-9a-f]{32}$/;

/** What a user does with a code that an admin has made. */
export function createRedeem({ database, secretBox, logs, audit, now = nowSeconds }: RedeemDependencies) {
  /** Adds the code's quota to the caller's balance, once for each code, whatever happens at the same moment. */
  async function redeem(actor: Actor, key: string): Promise<number> {
    requireRole(actor, role.user);
    if (key === '') throw new AppError('redemption.missing');
    const { id, quota, user_id } = await findUsable(actor, key);
    // Whose balance only others may change does not raise it by a code of their own making.
    if (actor.role < role.root && (user_id === actor.id || (await hasRaised(actor, id))))
      throw new AppError('redemption.own');
    const used = { status: redemptionStatus.used, redeemed_time: now(), used_user_id: actor.id };
    const isTaken = await database.transaction(async (transaction) => {
      const where = { id, quota, status: redemptionStatus.unused, deleted_at: null };
      const [count] = await database.redemptions.update(used, { where, transaction });
      if (count === 0) return false;
      const content = codedText('notice', 'log.redeemed', { id });
      await logs.record({ type: 'topUp', user_id: actor.id, username: actor.name, content, quota }, transaction);
      await audit.record(actor, { action: 'redemption.redeem', id, after: { quota } }, transaction);
      const ref = `redemption:${id}`;
      await bookEarnedCredit(database, transaction, {
        userId: actor.id,
        kind: 'redemption',
        ref,
        amount: quota,
        actorId: actor.id,
      });
      return true;
    });
    // Used, edited, disabled or deleted at this moment: as it is now it is redeemed, or says why not.
    return isTaken ? quota : redeem(actor, key);
  }

  /** Also a code of another admin is of their making once they have changed what it gives, or whether it gives anything. */
  async function hasRaised({ id: actor_id }: Actor, id: number): Promise<boolean> {
    const action = ['redemption.update', 'redemption.enable'];
    const where = { object_kind: 'redemption', object_id: String(id), actor_id, action };
    const changes = await database.audits.findAll({ attributes: ['after'], where, raw: true });
    return changes.some(({ after }) => /"(quota|expired_time|status)":/.test(after));
  }

  async function findUsable(actor: Actor, key: string): Promise<RedemptionRow> {
    const where = { key_hash: secretBox.lookupHashes(key), deleted_at: null };
    const row = redemptionKeyForm.test(key) ? await database.redemptions.findOne({ where, raw: true }) : null;
    if (!row) throw new AppError('redemption.unknown');
    // A person whose first response was lost, or whose browser sent it again, must not think that another had it.
    if (row.status === redemptionStatus.used)
      throw new AppError(row.used_user_id === actor.id ? 'redemption.usedByYou' : 'redemption.used');
    if (row.status !== redemptionStatus.unused) throw new AppError('redemption.disabled');
    if (row.expired_time > 0 && row.expired_time <= now()) throw new AppError('redemption.expired');
    return row;
  }

  return redeem;
}
