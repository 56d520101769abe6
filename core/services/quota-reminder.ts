import { createHmac } from 'node:crypto';
import { formatQuota } from '../billing/quota.ts';
import type { Database } from '../database/connect.ts';
import type { UserRow } from '../database/models/user.ts';
import type { Mailer } from '../integrations/mail/mailer.ts';
import type { Outbound } from '../integrations/outbound/outbound.ts';
import { type Clock, nowSeconds } from '../lib/clock.ts';
import type { SecretBox } from '../lib/secret-box.ts';
import { readStoredSetting, type StoredSetting } from '../schemas/user-setting.ts';
import { lowQuotaMail } from './mail-text.ts';
import type { OptionService } from './option.ts';
import { openSecret } from './secret.ts';
import { webhookSecretPlace } from './user-self.ts';

export interface QuotaReminderDependencies {
  database: Database;
  secretBox: SecretBox;
  options: Pick<OptionService, 'get'>;
  mailer: Pick<Mailer, 'requireReady' | 'send'>;
  outbound: Pick<Outbound, 'fetchBytes'>;
  /** A webhook that did not take the message. */
  onFailure(error: unknown): void;
  now?: Clock;
}

export interface QuotaReminder {
  /** Tells everybody whose balance is low and who made calls since they were told last; returns how many. */
  remindDue(signal?: AbortSignal): Promise<number>;
}

/** Nobody is told more often. */
const pauseSeconds = 2 * 3600;
/** Whoever has stopped making calls for longer is left alone. */
const activeSeconds = 24 * 3600;
const pageSize = 200;
/** Webhooks may be slow. */
const mostAtOnce = 5;
const webhookMs = 5000;
const webhookAnswerBytes = 64 * 1024;

type Told = 'email' | 'webhook';

export function createQuotaReminder(dependencies: QuotaReminderDependencies): QuotaReminder {
  const { database, secretBox, options, mailer, outbound, onFailure, now = nowSeconds } = dependencies;

  async function remindDue(signal?: AbortSignal): Promise<number> {
    let count = 0;
    for (let afterId = 0; !signal?.aborted; ) {
      const page = await candidates(afterId);
      for (let at = 0; at < page.length && !signal?.aborted; at += mostAtOnce) {
        const told = await Promise.all(page.slice(at, at + mostAtOnce).map(remind));
        count += told.filter(Boolean).length;
      }
      afterId = page.at(-1)?.id ?? 0;
      if (page.length < pageSize) break;
    }
    return count;
  }

  /**
   * Whoever has a threshold of their own is judged by that one, which SQL does not know. Calls of the playground show in the hourly
   * sums only, from the next full hour on.
   */
  function candidates(afterId: number): Promise<UserRow[]> {
    const since = `CASE WHEN quota_reminded_time > :active THEN quota_reminded_time ELSE :active END`;
    return database.select<UserRow>(
      `SELECT * FROM users
       WHERE id > :afterId AND status = 1 AND deleted_at IS NULL AND quota_reminded_time <= :before
         AND (quota < :threshold OR setting LIKE '%"quota_warning_threshold"%')
         AND (EXISTS (SELECT 1 FROM tokens WHERE tokens.user_id = users.id AND tokens.accessed_time > ${since}
             AND tokens.accessed_time > tokens.created_time)
           OR EXISTS (SELECT 1 FROM usage_data WHERE usage_data.user_id = users.id
             AND usage_data.created_at > ${since}))
       ORDER BY id LIMIT :pageSize`,
      {
        ...{ afterId, pageSize, threshold: options.get('QuotaRemindThreshold') },
        ...{ before: now() - pauseSeconds, active: now() - activeSeconds },
      },
    );
  }

  async function remind(user: UserRow): Promise<boolean> {
    const setting = readStoredSetting(user.setting);
    if (user.quota >= (setting.quota_warning_threshold ?? options.get('QuotaRemindThreshold'))) return false;
    const way = wayTo(user, setting);
    if (!way || !(await claim(user))) return false;
    if (way === 'email') sendMail(user, setting);
    else await callWebhook(user, setting);
    return true;
  }

  /** Nothing is claimed while there is no way to tell somebody. */
  function wayTo(user: UserRow, setting: StoredSetting): Told | undefined {
    if (setting.notify_type === 'webhook') return setting.webhook_url === '' ? undefined : 'webhook';
    if ((setting.notification_email || user.email) === '') return undefined;
    try {
      mailer.requireReady();
      return 'email';
    } catch {
      return undefined; // no mail server, or too many mails: the next run comes soon
    }
  }

  /** Of several processes that see the same balance, one tells. */
  async function claim({ id }: UserRow): Promise<boolean> {
    const claimed = await database.select(
      'UPDATE users SET quota_reminded_time = :now WHERE id = :id AND quota_reminded_time <= :before RETURNING id',
      { id, now: now(), before: now() - pauseSeconds },
    );
    return claimed.length > 0;
  }

  const shown = (quota: number) =>
    formatQuota(quota, {
      inCurrency: options.get('DisplayInCurrencyEnabled'),
      quotaPerUnit: options.get('QuotaPerUnit'),
    });

  function textFor(user: UserRow) {
    const values = { name: user.display_name || user.username, quota: shown(user.quota) };
    return lowQuotaMail(options.get('SystemName'), values, `${options.get('ServerAddress')}/topup`);
  }

  function sendMail(user: UserRow, { notification_email }: StoredSetting): void {
    mailer.send({ to: notification_email || user.email, ...textFor(user) });
  }

  async function callWebhook(user: UserRow, { webhook_url, webhook_secret }: StoredSetting): Promise<void> {
    const { subject, text } = textFor(user);
    const values = [shown(user.quota)];
    const body = JSON.stringify({ type: 'quota_exceed', title: subject, content: text, values, timestamp: now() });
    try {
      const secret = webhook_secret && openSecret(secretBox, webhook_secret, webhookSecretPlace(user.id));
      const { status } = await outbound.fetchBytes(webhook_url, {
        ...{ method: 'POST', body, profile: 'user', timeoutMs: webhookMs, maxBytes: webhookAnswerBytes },
        headers: {
          'content-type': 'application/json',
          ...(secret && { 'x-webhook-signature': createHmac('sha256', secret).update(body).digest('hex') }),
        },
      });
      if (status >= 300) onFailure(new Error(`the webhook of user ${user.id} answered ${status}`));
    } catch (error) {
      onFailure(error);
    }
  }

  return { remindDue };
}
