import type { Language } from '../../errors/app-error.ts';
import { channelStatus } from '../../schemas/channel.ts';
import { inBothLanguages, type Notice } from '../notice/notice.ts';
import { createRootNotice, type RootNoticeDependencies } from '../notice/root-notice.ts';
import type { ChannelTestReport } from './check.ts';
import type { ChannelSwitch } from './state.ts';

interface ChannelNoticeDependencies extends RootNoticeDependencies {
  /** Until this process looks whether what it wrote down is due. */
  sendAfterMs?: number;
}

/** A little longer than notices are gathered. */
const defaultSendAfterMs = 11_000;

/** Tells root what channels did without anybody's doing, and how a test run ended that somebody started. */
export function createChannelNotice(dependencies: ChannelNoticeDependencies) {
  const { sendAfterMs = defaultSendAfterMs } = dependencies;
  const { tell, close } = createRootNotice(dependencies);

  return {
    /** Told once for each change, by the process that made it. */
    switched: (change: ChannelSwitch): void => tell(switchNotice(change), sendAfterMs),
    tested: (report: ChannelTestReport): void => tell(testNotice(report), 0),
    close,
  };
}

function switchNotice(change: ChannelSwitch): Notice {
  const status = change.isOn ? channelStatus.enabled : channelStatus.autoDisabled;
  return {
    kind: `channel_update_${change.id}_${status}`,
    title: titles.switched,
    lines: inBothLanguages((language) => [switchLines[language](change)]),
  };
}

function testNotice(report: ChannelTestReport): Notice {
  return {
    kind: 'channel_test',
    title: titles.tested,
    lines: inBothLanguages((language) => testLines[language](report)),
  };
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
