import { makeStyles, Text, Tooltip, tokens } from '@fluentui/react-components';
import { useTranslation } from 'react-i18next';
import type { ChannelCondition } from '../../../../core/schemas/overview.ts';
import { StateMark } from '../../components/object/state-mark.tsx';
import { useFormat } from '../../state/format.ts';
import { channelTones } from '../overview/channel-state.tsx';
import { Sparkline } from '../overview/sparkline.tsx';

const useStyles = makeStyles({
  cell: { display: 'flex', flexDirection: 'column', width: '100%', minWidth: 0, lineHeight: tokens.lineHeightBase200 },
  quiet: { color: tokens.colorNeutralForeground3 },
});

/** What was proven of a channel, how many of its attempts succeeded and how long they took; in a tooltip why it fails. */
export function ConditionCell({ condition }: { condition: ChannelCondition | undefined }) {
  const { t } = useTranslation('channel');
  const styles = useStyles();
  const format = useFormat();
  if (!condition) return null;
  const { state, success, p50, reason, last_error: lastError } = condition;
  const time = (ms: number) =>
    ms < 1000
      ? t('milliseconds', { ms: format.number(Math.round(ms)) })
      : t('seconds', { seconds: format.number(Math.round(ms / 100) / 10) });
  const rates = success === null ? [] : [format.percent(success), ...(p50 === null ? [] : [time(p50)])];
  const cell = (
    <div className={styles.cell} {...((reason || lastError) && { tabIndex: 0 })}>
      <StateMark tone={channelTones[state]} word={t(`state.${state}`)} />
      {rates.length > 0 && (
        <Text size={200} wrap={false} className={styles.quiet}>
          {rates.join(' · ')}
        </Text>
      )}
    </div>
  );
  if (!reason && !lastError) return cell;
  return (
    <Tooltip content={reason || t('lastError', { reason: lastError })} relationship="description">
      {cell}
    </Tooltip>
  );
}

/** The requests of the last 24 hours, as a line. */
export function RequestsCell({ condition }: { condition: ChannelCondition | undefined }) {
  const styles = useStyles();
  const format = useFormat();
  if (!condition) return null;
  return (
    <div className={styles.cell}>
      <Text size={200}>{format.number(condition.requests)}</Text>
      {condition.hours.length > 0 && <Sparkline values={condition.hours} />}
    </div>
  );
}
