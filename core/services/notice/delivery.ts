import type { NoticeRow } from '../../database/models/notice.ts';
import type { UserRow } from '../../database/models/user.ts';
import type { Language } from '../../errors/app-error.ts';
import type { Mailer } from '../../integrations/mail/mailer.ts';
import type { Outbound } from '../../integrations/outbound/outbound.ts';
import { type Clock, nowSeconds } from '../../lib/clock.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import type { StoredSetting } from '../../schemas/user-setting.ts';
import { textIn } from '../../text/text.ts';
import type { OptionService } from '../option/option.ts';
import { openSecret } from '../secret.ts';
import { webhookSecretPlace } from '../user/self.ts';
import { type MailText, noticeMail } from './mail-text.ts';
import { callWebhook } from './webhook.ts';

/** What a notice says, in both languages: the server sends it on its own, so the reader's language is unknown. */
export interface NoticeContent {
  title: Record<Language, string>;
  /** Paragraphs. */
  lines: Record<Language, string[]>;
  link?: string;
  /** The figures of the text alone, for programs. */
  values?: string[];
}

export interface NoticeDelivery {
  /** How a user would be notified now; undefined when there is no way. */
  wayTo(user: Pick<UserRow, 'email'>, setting: StoredSetting): ReturnType<typeof noticeWay>;
  send(user: UserRow, setting: StoredSetting, notice: SentNotice): Promise<void>;
}

export interface SentNotice {
  /** The same at every try, so that a receiver can drop repeats. */
  id: string;
  kind: string;
  content: NoticeContent;
}

interface NoticeDeliveryDependencies {
  secretBox: SecretBox;
  options: Pick<OptionService, 'get'>;
  mailer: Pick<Mailer, 'isConfigured' | 'deliver'>;
  outbound: Pick<Outbound, 'fetchBytes'>;
  now?: Clock;
}

const maxLines = 100;

/** How a user would be notified; undefined when there is no way. */
export function noticeWay(
  { email }: Pick<UserRow, 'email'>,
  setting: StoredSetting,
  isMailConfigured: boolean,
): 'email' | 'webhook' | undefined {
  if (setting.notify_type === 'webhook') return setting.webhook_url === '' ? undefined : 'webhook';
  return isMailConfigured && (setting.notification_email || email) !== '' ? 'email' : undefined;
}

/** By mail or by webhook, as each user has set it (console reference, 6.4). */
export function createNoticeDelivery(dependencies: NoticeDeliveryDependencies): NoticeDelivery {
  const { secretBox, options, mailer, outbound, now = nowSeconds } = dependencies;

  const wayTo: NoticeDelivery['wayTo'] = (user, setting) => noticeWay(user, setting, mailer.isConfigured());

  /** What goes out is read only now: an address or secret that was taken back is not used any more. */
  async function tellWebhook(
    userId: number,
    { webhook_url, webhook_secret }: StoredSetting,
    { id, kind, content }: SentNotice,
  ): Promise<void> {
    const { subject, text } = noticeText(options.get('SystemName'), content);
    const values = content.values && { values: content.values };
    const body = JSON.stringify({ type: kind, title: subject, content: text, ...values, timestamp: now() });
    const secret = webhook_secret && openSecret(secretBox, webhook_secret, webhookSecretPlace(userId));
    const receiver = `the webhook of user ${userId}`;
    await callWebhook(outbound, { address: webhook_url, body, secret, eventId: id, receiver });
  }

  return {
    wayTo,
    async send(user, setting, notice) {
      const way = wayTo(user, setting);
      if (way === 'webhook') await tellWebhook(user.id, setting, notice);
      if (way === 'email') {
        const text = noticeText(options.get('SystemName'), notice.content);
        await mailer.deliver({ id: notice.id, to: setting.notification_email || user.email, ...text });
      }
    },
  };
}

/** As a mail has it: both languages, and no more lines than a person reads. */
export function noticeText(systemName: string, { title, lines, link }: NoticeContent): MailText {
  return noticeMail(systemName, (language) => ({
    title: title[language],
    lines: shownOf(language, lines[language]),
    ...(link !== undefined && { link }),
  }));
}

function shownOf(language: Language, lines: readonly string[]): string[] {
  const more = lines.length - maxLines;
  const shown = lines.slice(0, maxLines);
  return more > 0 ? [...shown, textIn(language, 'notice', 'notice.more', { count: more })] : shown;
}

/** Several notices with one title as one text. */
export function mergeNotices(rows: readonly Pick<NoticeRow, 'content'>[]): NoticeContent {
  const contents = rows.map(({ content }) => JSON.parse(content) as NoticeContent);
  const [first] = contents;
  if (!first) throw new Error('there is nothing to tell');
  const linesIn = (language: Language) => contents.flatMap(({ lines }) => lines[language]);
  return { ...first, lines: { zh: linesIn('zh'), en: linesIn('en') } };
}
