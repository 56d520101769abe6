import { Op, type Transaction } from 'sequelize';
import { formatQuota } from '../../billing/quota.ts';
import type { Database } from '../../database/connect.ts';
import type { UserRow } from '../../database/models/user.ts';
import { type Clock, nowSeconds } from '../../lib/clock.ts';
import { readStoredSetting } from '../../schemas/user-setting.ts';
import { textIn } from '../../text/text.ts';
import type { OptionService } from '../option/option.ts';
import { inBothLanguages, type Notice, type NoticeService } from './notice.ts';

export interface QuotaReminderDependencies {
  database: Database;
  options: Pick<OptionService, 'get'>;
  notices: Pick<NoticeService, 'put' | 'sendDue'>;
  now?: Clock;
}

export interface QuotaReminder {
  /** Notifies users with a low balance who made calls since their last notice; returns how many. */
  remindDue(signal?: AbortSignal): Promise<number>;
}

/** The shortest time between two notices to one user. */
const pauseSeconds = 2 * 3600;
/** Users without calls for longer are not notified. */
const activeSeconds = 24 * 3600;
const pageSize = 200;

export function createQuotaReminder(dependencies: QuotaReminderDependencies): QuotaReminder {
  const { database, options, notices, now = nowSeconds } = dependencies;

  async function remindDue(signal?: AbortSignal): Promise<number> {
    let count = 0;
    for (let afterId = 0; !signal?.aborted; ) {
      const page = await candidates(afterId);
      for (const user of page) {
        if (signal?.aborted) break;
        count += Number(await remind(user));
      }
      afterId = page.at(-1)?.id ?? 0;
      if (page.length < pageSize) break;
    }
    if (count > 0) await notices.sendDue(signal);
    return count;
  }

  /**
   * A user with a threshold of their own is judged by that one, which SQL does not know. Calls of the playground show in the hourly
   * sums only, from the next full hour on.
   */
  function candidates(afterId: number): Promise<UserRow[]> {
    // SQL: two conditions ask other tables about each user, with a moment that is the user's own.
    const since = `CASE WHEN quota_reminded_time > :active AND quota_reminded_time <= :now THEN quota_reminded_time ELSE :active END`;
    return database.select<UserRow>(
      `SELECT * FROM users
       WHERE id > :afterId AND status = 1 AND deleted_at IS NULL AND (quota_reminded_time <= :before OR quota_reminded_time > :now)
         AND (quota < :threshold OR setting LIKE '%"quota_warning_threshold"%')
         AND (EXISTS (SELECT 1 FROM tokens WHERE tokens.user_id = users.id AND tokens.accessed_time > ${since}
             AND tokens.accessed_time > tokens.created_time)
           OR EXISTS (SELECT 1 FROM usage_data WHERE usage_data.user_id = users.id
             AND usage_data.created_at > ${since}))
       ORDER BY id LIMIT :pageSize`,
      {
        afterId,
        pageSize,
        threshold: options.get('QuotaRemindThreshold'),
        before: now() - pauseSeconds,
        now: now(),
        active: now() - activeSeconds,
      },
    );
  }

  async function remind(user: UserRow): Promise<boolean> {
    const { quota_warning_threshold } = readStoredSetting(user.setting);
    if (user.quota >= (quota_warning_threshold ?? options.get('QuotaRemindThreshold'))) return false;
    return database
      .transaction(async (transaction) => {
        // Nothing is claimed while there is no way to notify the user: the next run comes soon.
        if (!(await notices.put(user, noticeFor(user), transaction))) return false;
        if (await claim(user, transaction)) return true;
        throw new TakenByAnother();
      })
      .catch((error: unknown) => {
        if (error instanceof TakenByAnother) return false;
        throw error;
      });
  }

  /** Of several processes that see the same balance, one tells. A moment that is yet to come is of a clock that was set back. */
  async function claim({ id }: UserRow, transaction: Transaction): Promise<boolean> {
    const at = { [Op.or]: [{ [Op.lte]: now() - pauseSeconds }, { [Op.gt]: now() }] };
    const where = { id, quota_reminded_time: at };
    const [claimed] = await database.users.update({ quota_reminded_time: now() }, { where, transaction });
    return claimed > 0;
  }

  function noticeFor(user: UserRow): Notice {
    const quota = formatQuota(user.quota, {
      inCurrency: options.get('DisplayInCurrencyEnabled'),
      quotaPerUnit: options.get('QuotaPerUnit'),
    });
    const name = user.display_name || user.username;
    const address = options.get('ServerAddress');
    return {
      kind: 'quota_exceed',
      title: inBothLanguages((language) => textIn(language, 'notice', 'balance.lowTitle')),
      lines: inBothLanguages((language) => [
        textIn(language, 'notice', 'balance.low', { name, quota }),
        textIn(language, 'notice', address === '' ? 'balance.topUpSoon' : 'balance.topUp'),
      ]),
      ...(address !== '' && { link: `${address}/topup` }),
      values: [quota],
    };
  }

  return { remindDue };
}

/** Rolls back the notice to a user whom another process has just notified. */
class TakenByAnother extends Error {}
