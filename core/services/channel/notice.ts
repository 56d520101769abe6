import { channelStatus } from '../../schemas/channel-status.ts';
import { textIn } from '../../text/text.ts';
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

/** Tells root about automatic changes of channels, and about the end of a test run that a user started. */
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

function switchNotice({ id, key, name, isOn, reason }: ChannelSwitch): Notice {
  const status = isOn ? channelStatus.enabled : channelStatus.autoDisabled;
  const ofChannel = isOn ? 'channel.switchedOn' : 'channel.switchedOff';
  const line = key === undefined ? ofChannel : isOn ? 'channel.keyOn' : 'channel.keyOff';
  return {
    kind: key === undefined ? `channel_update_${id}_${status}` : `channel_key_${id}_${key}_${status}`,
    title: inBothLanguages((language) => textIn(language, 'notice', 'channel.switchedTitle')),
    lines: inBothLanguages((language) => [textIn(language, 'notice', line, { id, key: key ?? 0, name, reason })]),
  };
}

function testNotice({ failed, tested, disabled, enabled }: ChannelTestReport): Notice {
  const counts = { tested, failed: failed.length, disabled, enabled };
  return {
    kind: 'channel_test',
    title: inBothLanguages((language) => textIn(language, 'notice', 'channel.testedTitle')),
    lines: inBothLanguages((language) => [
      textIn(language, 'notice', 'channel.tested', counts),
      ...failed.map(({ id, name, reason }) => textIn(language, 'notice', 'channel.testFailed', { id, name, reason })),
    ]),
  };
}
