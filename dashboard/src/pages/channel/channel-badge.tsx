import { Badge, makeStyles, Tooltip, tokens } from '@fluentui/react-components';
import { useTranslation } from 'react-i18next';
import { type Channel, channelStatus } from '../../../../core/schemas/channel.ts';
import { useFormat } from '../../state/format.ts';

const statusColors = {
  [channelStatus.enabled]: 'success',
  [channelStatus.disabled]: 'danger',
  [channelStatus.autoDisabled]: 'warning',
} as const;

const useStyles = makeStyles({
  badge: { whiteSpace: 'nowrap' },
  lime: {
    color: tokens.colorPaletteLightGreenForeground2,
    backgroundColor: tokens.colorPaletteLightGreenBackground1,
    border: `1px solid ${tokens.colorPaletteLightGreenBorder1}`,
  },
  yellow: {
    color: tokens.colorPaletteYellowForeground2,
    backgroundColor: tokens.colorPaletteYellowBackground1,
    border: `1px solid ${tokens.colorPaletteYellowBorder1}`,
  },
});

export function StatusBadge({ channel }: { channel: Channel }) {
  const { t } = useTranslation('channel');
  const styles = useStyles();
  const offText = useOffText();
  const color = statusColors[channel.status as keyof typeof statusColors] ?? 'informative';
  const why = offText(channel);
  const badge = (
    <Badge appearance="tint" color={color} className={styles.badge} {...(why && { tabIndex: 0 })}>
      {t(`status.${channel.status}`)}
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
    const why = reason || t('offUnknown');
    return t('offSince', { reason: why, time: format.time(time) });
  };
}

function readInfo(text: string): { status_reason?: string; status_time?: number } {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {}; // nothing was kept
  }
}

/** Bounds in milliseconds (operations spec, section 2). */
export function LatencyBadge({ responseTime, testTime }: { responseTime: number; testTime?: number }) {
  const { t } = useTranslation('channel');
  const styles = useStyles();
  const format = useFormat();
  if (responseTime === 0) {
    // How fast a refusal came says nothing about the channel.
    const isFailed = testTime !== undefined && testTime > 0;
    return (
      <Badge appearance="tint" color={isFailed ? 'danger' : 'informative'}>
        {t(isFailed ? 'lastTestFailed' : 'untested')}
      </Badge>
    );
  }
  // What took less would seem to have taken nothing.
  const seconds = format.number(Math.max(Math.round(responseTime / 10) / 100, 0.01));
  const text = t('seconds', { seconds });
  const badge =
    responseTime <= 1000 ? (
      <Badge appearance="tint" color="success">
        {text}
      </Badge>
    ) : responseTime <= 3000 ? (
      <Badge appearance="tint" className={styles.lime}>
        {text}
      </Badge>
    ) : responseTime <= 5000 ? (
      <Badge appearance="tint" className={styles.yellow}>
        {text}
      </Badge>
    ) : (
      <Badge appearance="tint" color="danger">
        {text}
      </Badge>
    );
  if (!testTime) return badge;
  return (
    <Tooltip content={t('testedAt', { time: format.time(testTime) })} relationship="description">
      {badge}
    </Tooltip>
  );
}
