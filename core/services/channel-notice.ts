import type { Database } from '../database/connect.ts';
import { AppError, type Language } from '../errors/app-error.ts';
import type { Mailer } from '../integrations/mail/mailer.ts';
import { role } from '../schemas/actor.ts';
import { userStatus } from '../schemas/user.ts';
import type { ChannelTestReport } from './channel-check.ts';
import type { ChannelSwitch } from './channel-state.ts';
import { noticeMail } from './mail-text.ts';
import type { OptionService } from './option.ts';

interface ChannelNoticeDependencies {
  database: Database;
  options: Pick<OptionService, 'get'>;
  mailer: Pick<Mailer, 'requireReady' | 'send'>;
  onError(error: unknown): void;
  /** Changes within this time go into one mail: a provider that is down takes all its channels along. */
  gatherMs?: number;
}

const mostLines = 100;

/** Mails to root about what channels did without anybody's doing, and about the end of a test run somebody started. */
export function createChannelNotice(dependencies: ChannelNoticeDependencies) {
  const { database, options, mailer, onError, gatherMs = 10_000 } = dependencies;
  let gathered: ChannelSwitch[] = [];

  /** Told once for each change, by the process that made it. */
  function switched(change: ChannelSwitch): void {
    gathered.push(change);
    if (gathered.length > 1) return;
    // A process that ends before tells nobody; the audit trail and the channel's own reason remain.
    setTimeout(() => {
      const changes = gathered;
      gathered = [];
      void mail((language) => ({ title: titles.switched[language], lines: changes.map(switchLines[language]) }));
    }, gatherMs).unref();
  }

  function tested(report: ChannelTestReport): void {
    void mail((language) => ({ title: titles.tested[language], lines: testLines[language](report) }));
  }

  async function mail(write: (language: Language) => { title: string; lines: string[] }): Promise<void> {
    try {
      mailer.requireReady();
      const to = await rootAddresses();
      const text = noticeMail(options.get('SystemName'), (language) => {
        const { title, lines } = write(language);
        return { title, lines: lines.slice(0, mostLines) };
      });
      for (const address of to) mailer.send({ ...text, to: address });
    } catch (error) {
      // Without a mail server nobody expects a mail.
      if (!(error instanceof AppError && error.code === 'mail.notConfigured')) onError(error);
    }
  }

  async function rootAddresses(): Promise<string[]> {
    const where = { role: role.root, status: userStatus.enabled, deleted_at: null };
    const rows = await database.users.findAll({ attributes: ['email'], where, raw: true });
    return [...new Set(rows.map(({ email }) => email).filter(Boolean))];
  }

  return { switched, tested };
}

const titles: Record<'switched' | 'tested', Record<Language, string>> = {
  switched: { en: 'channels changed by themselves', zh: '渠道状态自动变更' },
  tested: { en: 'the channel test is done', zh: '渠道测试完成' },
};

const switchLines: Record<Language, (change: ChannelSwitch) => string> = {
  en: ({ id, name, isOn, reason }) =>
    isOn ? `Channel ${id} (${name}) answers again and was enabled.` : `Channel ${id} (${name}) was disabled: ${reason}`,
  zh: ({ id, name, isOn, reason }) =>
    isOn ? `渠道 ${id}（${name}）已恢复并自动启用。` : `渠道 ${id}（${name}）已被自动禁用：${reason}`,
};

const testLines: Record<Language, (report: ChannelTestReport) => string[]> = {
  en: ({ tested, failed, disabled, enabled }) => [
    `${tested} tested, ${failed.length} failed, ${disabled} disabled, ${enabled} enabled again.`,
    ...failed.map(({ id, name, reason }) => `Channel ${id} (${name}): ${reason}`),
  ],
  zh: ({ tested, failed, disabled, enabled }) => [
    `共测试 ${tested} 个，失败 ${failed.length} 个，自动禁用 ${disabled} 个，重新启用 ${enabled} 个。`,
    ...failed.map(({ id, name, reason }) => `渠道 ${id}（${name}）：${reason}`),
  ],
};
