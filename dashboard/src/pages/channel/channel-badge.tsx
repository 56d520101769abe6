import { Badge, makeStyles, Tooltip } from '@fluentui/react-components';
import { useTranslation } from 'react-i18next';
import type { Channel } from '../../../../core/schemas/channel.ts';
import { channelStatus } from '../../../../core/schemas/channel-status.ts';
import { type Tone, ToneBadge } from '../../components/tone-badge.tsx';
import { useFormat } from '../../state/format.ts';
import { useDuration } from '../overview/use-duration.ts';

const statusColors = {
  // That it may be used, not that it works.
  [channelStatus.enabled]: 'informative',
  [channelStatus.disabled]: 'danger',
  [channelStatus.autoDisabled]: 'warning',
} as const;

const useStyles = makeStyles({
  badge: { whiteSpace: 'nowrap' },
});

export function StatusBadge({ channel }: { channel: Channel }) {
  const { t } = useTranslation('channel');
  const styles = useStyles();
  const offText = useOffText();
  // One that is on and cannot work would pass for a healthy one.
  const isBroken = channel.problem !== '' && channel.status === channelStatus.enabled;
  const color = isBroken ? 'danger' : (statusColors[channel.status as keyof typeof statusColors] ?? 'informative');
  const why = [channel.problem, offText(channel)].filter(Boolean).join(' ');
  const badge = (
    <Badge appearance="tint" color={color} className={styles.badge} {...(why && { tabIndex: 0 })}>
      {isBroken ? t('problem') : t(`status.${channel.status}`)}
    </Badge>
  );
  return why ? (
    <Tooltip content={why} relationship="description">
      {badge}
    </Tooltip>
  ) : (
    badge
  );
}

/** Why and since when a channel went off by itself; '' for others. */
export function useOffText(): (channel: Channel) => string {
  const { t } = useTranslation('channel');
  const format = useFormat();
  return ({ status, other_info: text }) => {
    if (status !== channelStatus.autoDisabled) return '';
    const { status_reason: reason = '', status_time: time = 0 } = readInfo(text);
    return t('offSince', { reason: reason || t('offUnknown'), time: format.time(time) });
  };
}

/** That the usage of its streams is counted here; '' for others. */
export function useUsageText(): (channel: Channel) => string {
  const { t } = useTranslation('channel');
  const format = useFormat();
  return ({ stream_options_refused_time: time }) =>
    time > Date.now() / 1000 - 86_400 ? t('usageRefused', { time: format.time(time) }) : '';
}

function readInfo(text: string): { status_reason?: string; status_time?: number } {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {}; // nothing was kept
  }
}

/** Bounds in milliseconds (operations spec, section 2). */
function toneOf(responseTime: number): Tone {
  if (responseTime <= 1000) return 'green';
  if (responseTime <= 3000) return 'lime';
  return responseTime <= 5000 ? 'yellow' : 'red';
}

export function LatencyBadge({ responseTime, testTime }: { responseTime: number; testTime?: number }) {
  const { t } = useTranslation('channel');
  const format = useFormat();
  const duration = useDuration();
  const styles = useStyles();
  if (responseTime === 0) {
    // How fast a refusal came says nothing about the channel.
    const isFailed = testTime !== undefined && testTime > 0;
    return (
      <Badge appearance="tint" color={isFailed ? 'danger' : 'informative'} className={styles.badge}>
        {t(isFailed ? 'lastTestFailed' : 'untested')}
      </Badge>
    );
  }
  const badge = <ToneBadge tone={toneOf(responseTime)}>{duration(responseTime)}</ToneBadge>;
  if (!testTime) return badge;
  return (
    <Tooltip content={t('testedAt', { time: format.time(testTime) })} relationship="description">
      {badge}
    </Tooltip>
  );
}
