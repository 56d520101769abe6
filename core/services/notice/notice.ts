import { createHash } from 'node:crypto';
import { Op, type Transaction } from 'sequelize';
import type { Database } from '../../database/connect.ts';
import type { NoticeRow } from '../../database/models/notice.ts';
import type { UserRow } from '../../database/models/user.ts';
import type { Language } from '../../errors/app-error.ts';
import { MailFailure } from '../../integrations/mail/mail-failure.ts';
import { type Clock, nowSeconds, secondsPerDay } from '../../lib/clock.ts';
import { channelStatus } from '../../schemas/channel-status.ts';
import { userStatus } from '../../schemas/user.ts';
import { readStoredSetting, type StoredSetting } from '../../schemas/user-setting.ts';
import { mergeNotices, type NoticeContent, type NoticeDelivery } from './delivery.ts';
import { retryAfterSeconds } from './webhook.ts';

/** A user who may be notified, as far as that needs to be known. */
export type NoticeUser = Pick<UserRow, 'id' | 'email' | 'setting'>;

export interface Notice extends NoticeContent {
  /** For the receiver of a webhook, and for the limit: `quota_exceed`, `channel_update_5_3`, `channel_test`. */
  kind: string;
}

/** Of a notice that is being sent. */
type ClaimedNotice = Pick<NoticeRow, 'id' | 'user_id' | 'kind' | 'content' | 'tries' | 'created_at'>;

export interface NoticeService {
  /** Stores a notice for a user; false when there is no way to tell them, or they were told often enough. */
  put(user: NoticeUser, notice: Notice, transaction?: Transaction): Promise<boolean>;
  /** Sends what is due; what fails is tried again later, by whichever process comes first. Returns how many went out. */
  sendDue(signal?: AbortSignal): Promise<number>;
  removeOld(): Promise<void>;
}

interface NoticeServiceDependencies {
  database: Database;
  delivery: NoticeDelivery;
  /** NOTIFY_LIMIT_COUNT in NOTIFICATION_LIMIT_DURATION_MINUTE, for each user and kind. */
  limit: { count: number; minutes: number };
  onFailure(text: string, error: unknown): void;
  now?: Clock;
}

/** Events that happen together are sent together: a provider that is down takes all its channels along. */
const gatherSeconds = 10;
/** How long a process may take; then another one tries. */
const leaseSeconds = 120;
/** Of one user: receivers that are gone must not keep others, root among them, from being told. */
const maxWaiting = 1000;
const maxAtOnce = 5;
const pageSize = 100;

const isGathered = (kind: string) => kind.startsWith('channel_update_');

/** Notices lie in the database until they have gone out: a process that ends, or a mail server that is away, loses none. */
export function createNoticeService(dependencies: NoticeServiceDependencies): NoticeService {
  const { database, delivery, limit, onFailure, now = nowSeconds } = dependencies;

  async function put(user: NoticeUser, { kind, ...content }: Notice, transaction?: Transaction): Promise<boolean> {
    if (!delivery.wayTo(user, readStoredSetting(user.setting))) return false;
    const since = now() - limit.minutes * 60;
    // What is yet to come was told before the clock was set back.
    const recent = { user_id: user.id, kind, created_at: { [Op.gt]: since, [Op.lte]: now() } };
    if ((await database.notices.count({ where: recent, transaction })) >= limit.count) return false;
    const waiting = { user_id: user.id, done_at: 0 };
    if ((await database.notices.count({ where: waiting, transaction })) >= maxWaiting) {
      onFailure('a user was not notified, because too many notices are waiting', undefined);
      return false;
    }
    const due_at = now() + (isGathered(kind) ? gatherSeconds : 0);
    const row = { user_id: user.id, kind, content: JSON.stringify(content), created_at: now(), due_at };
    await database.notices.create(row, { transaction });
    return true;
  }

  async function sendDue(signal?: AbortSignal): Promise<number> {
    let sent = 0;
    while (!signal?.aborted) {
      const lease = now() + leaseSeconds;
      const rows = await claim(lease);
      if (rows.length === 0) break;
      const parcels = await parcelsOf(rows);
      for (let at = 0; at < parcels.length; at += maxAtOnce) {
        const ofUsers = parcels.slice(at, at + maxAtOnce);
        const results = await Promise.all(ofUsers.map((ofUser) => sendInOrder(ofUser, lease)));
        sent += results.reduce((sum, count) => sum + count, 0);
      }
    }
    return sent;
  }

  /**
   * Of several processes each row is one's; with a user's first due notice come those that wait to be sent together. What was never
   * tried is first: many receivers that do not respond must not delay it.
   */
  function claim(lease: number): Promise<ClaimedNotice[]> {
    // SQL: the rows are chosen, changed and returned in one statement.
    return database.select<ClaimedNotice>(
      `UPDATE notices SET tries = tries + 1, due_at = :lease
       WHERE done_at = 0 AND due_at <= :horizon AND id IN (
         SELECT id FROM notices
         WHERE done_at = 0 AND due_at <= :horizon
           AND user_id IN (SELECT user_id FROM notices WHERE done_at = 0 AND due_at <= :now)
         ORDER BY tries, id LIMIT ${pageSize})
       RETURNING id, user_id, kind, content, tries, created_at`,
      { now: now(), horizon: now() + gatherSeconds, lease },
    );
  }

  /** A slow server may use up the lease before a notice has its turn: what another process has taken since is left to that one. */
  async function stillOurs(rows: ClaimedNotice[], lease: number): Promise<ClaimedNotice[]> {
    // SQL: which rows were changed is known only by RETURNING.
    const kept = await database.select<{ id: number }>(
      'UPDATE notices SET due_at = :next WHERE id IN (:ids) AND done_at = 0 AND due_at = :lease RETURNING id',
      { ids: idsOf(rows), lease, next: now() + leaseSeconds },
    );
    const ids = new Set(kept.map(({ id }) => id));
    return rows.filter(({ id }) => ids.has(id));
  }

  interface Parcel {
    user: UserRow | undefined;
    setting: StoredSetting;
    rows: ClaimedNotice[];
  }

  /** A list for each user. */
  async function parcelsOf(rows: ClaimedNotice[]): Promise<Parcel[][]> {
    const ids = [...new Set(rows.map(({ user_id }) => user_id))];
    const where = { id: ids, status: userStatus.enabled, deleted_at: null };
    const users = new Map((await database.users.findAll({ where, raw: true })).map((user) => [user.id, user]));
    return ids.map((id) => {
      const user = users.get(id);
      const setting = readStoredSetting(user?.setting ?? '');
      const own = rows.filter(({ user_id }) => user_id === id).sort((a, b) => a.id - b.id);
      // A program that is called wants one event at a time, a person one mail.
      const isMerged = ({ kind }: ClaimedNotice) => setting.notify_type === 'email' && isGathered(kind);
      const merged = own.filter(isMerged);
      const groups = [
        ...(merged.length > 0 ? [merged] : []),
        ...own.filter((row) => !isMerged(row)).map((row) => [row]),
      ];
      return groups.map((group) => ({ user, setting, rows: group }));
    });
  }

  /** One after the other: a program must not hear that a channel works again before it hears that it was disabled. */
  async function sendInOrder(parcels: Parcel[], lease: number): Promise<number> {
    let sent = 0;
    let away: unknown;
    for (const { user, setting, rows: claimed } of parcels) {
      const rows = await stillOurs(claimed, lease);
      if (rows.length === 0) continue;
      try {
        // A receiver that is away is left alone until the next try.
        if (away !== undefined) throw away;
        sent += await send(user, setting, rows);
      } catch (error) {
        if (!isOfOneMail(error)) away = error;
        await fail(rows, error);
      }
    }
    return sent;
  }

  async function send(user: UserRow | undefined, setting: StoredSetting, rows: ClaimedNotice[]): Promise<number> {
    // Banned or deleted meanwhile, or the way is closed for good: there is no one left to notify.
    if (user) {
      const notice = { id: noticeIdOf(rows), kind: rows[0]?.kind ?? '', content: mergeNotices(rows) };
      await delivery.send(user, setting, notice);
    }
    await finish(rows);
    if (user) await dropOutdated(rows);
    return user ? rows.length : 0;
  }

  async function fail(rows: ClaimedNotice[], error: unknown): Promise<void> {
    const pause = retryAfterSeconds[(rows[0]?.tries ?? 1) - 1];
    const isFinal = pause === undefined || isOfOneMail(error);
    onFailure(isFinal ? 'a notice was given up' : 'a notice will be sent again later', error);
    if (isFinal) await finish(rows);
    else await postpone(rows, pause);
  }

  const idsOf = (rows: ClaimedNotice[]) => rows.map(({ id }) => id);

  async function finish(rows: ClaimedNotice[]): Promise<void> {
    await database.notices.update({ done_at: now() }, { where: { id: idsOf(rows) } });
  }

  /** A notice that waits for its next try would come last, and tell what is no longer true. */
  async function dropOutdated(rows: ClaimedNotice[]): Promise<void> {
    for (const { id, user_id, kind } of rows) {
      const states = statesOf(kind);
      const where = { user_id, kind: states, done_at: 0, id: { [Op.lt]: id } };
      if (states.length > 0) await database.notices.update({ done_at: now() }, { where });
    }
  }

  async function postpone(rows: ClaimedNotice[], seconds: number): Promise<void> {
    await database.notices.update({ due_at: now() + seconds }, { where: { id: idsOf(rows) } });
  }

  return {
    put,
    sendDue,
    async removeOld() {
      const before = now() - Math.max(secondsPerDay, limit.minutes * 60);
      await database.notices.destroy({ where: { done_at: { [Op.gt]: 0, [Op.lt]: before } } });
    },
  };
}

/** All kinds of notices that tell the state of the same channel, or of the same key of it. */
function statesOf(kind: string): string[] {
  const subject = /^(channel_(?:update|key)_.+)_\d+$/.exec(kind)?.[1];
  return subject === undefined ? [] : Object.values(channelStatus).map((status) => `${subject}_${status}`);
}

/** The mail server will never take this one, and may take another. */
const isOfOneMail = (error: unknown): boolean => error instanceof MailFailure && error.isFinal && error.isOfMail;

/** Of these rows at every try, and of no rows of another gateway that sends from the same address. */
function noticeIdOf(rows: readonly ClaimedNotice[]): string {
  const marks = rows.map(({ id, created_at, content }) => [id, Number(created_at), content]);
  return `notice-${createHash('sha256').update(JSON.stringify(marks)).digest('hex').slice(0, 32)}`;
}

export const inBothLanguages = <T>(write: (language: Language) => T): Record<Language, T> => ({
  zh: write('zh'),
  en: write('en'),
});
