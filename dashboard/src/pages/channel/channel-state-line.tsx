import { useTranslation } from 'react-i18next';
import type { Channel } from '../../../../core/schemas/channel.ts';
import { useObjectOverview } from '../../api/overview.ts';
import { StateLine } from '../../components/object/state-mark.tsx';
import { useFormat } from '../../state/format.ts';
import { useRelativeTime } from '../../state/relative-time.ts';
import { sentence } from '../../state/sentence.ts';
import { channelTones } from '../overview/channel-state.tsx';
import { periodOf } from '../overview/period.ts';

/** As the first tab asks without a choice, so that both share a reading. */
const today = { range: 'today', start: '', end: '', unit: '', compare: '' };

interface ChannelStateLineProps {
  channel: Channel;
  /** Milliseconds between two readings. */
  everyMs: number;
}

/** How a channel is doing, in one sentence. */
export function ChannelStateLine({ channel, everyMs }: ChannelStateLineProps) {
  const { t } = useTranslation('channel');
  const format = useFormat();
  const relative = useRelativeTime();
  const choice = { filters: today, periodOf: () => periodOf(today) };
  const { data } = useObjectOverview({ kind: 'channel', id: channel.id }, choice, everyMs);
  const [condition] = data?.channels ?? [];
  if (!condition) return null;
  const { state, reason, since, last_used, test_time, response_time } = condition;
  const proven = Math.max(last_used, response_time > 0 ? test_time : 0);
  const words = {
    working: t('condition.working', { time: relative(proven) }),
    slow: t('condition.slow', { seconds: format.number(response_time / 1000) }),
    failing: sentence(reason) || t('condition.failing', { time: relative(test_time) }),
    unknown: proven > 0 ? t('condition.unknown', { time: relative(proven) }) : t('condition.never'),
    off: t('condition.off'),
  };
  const word = t('condition.word', { word: t(`state.${state}`) });
  return (
    <StateLine
      tone={channelTones[state]}
      word={state === 'failing' && since > 0 ? t('condition.since', { time: format.moment(since) }) : word}
    >
      {words[state]}
    </StateLine>
  );
}
