import { Badge, makeStyles, Text, tokens } from '@fluentui/react-components';
import { useTranslation } from 'react-i18next';
import { type Log, logType } from '../../../../core/schemas/log.ts';
import { type Tone, ToneBadge } from '../../components/tone-badge.tsx';
import { readRecord } from './log-record.ts';

const useStyles = makeStyles({
  row: { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: tokens.spacingHorizontalXS },
  figure: { fontVariantNumeric: 'tabular-nums' },
});

const typeColors = {
  [logType.topUp]: 'brand',
  [logType.consume]: 'success',
  [logType.manage]: 'warning',
  [logType.system]: 'informative',
  [logType.error]: 'danger',
} as const;

export function TypeBadge({ log }: { log: Log }) {
  const { t } = useTranslation('log');
  const color = typeColors[log.type as keyof typeof typeColors];
  return (
    <Badge appearance="tint" color={color ?? 'informative'}>
      {t(color ? `type.${log.type}` : 'type.other')}
    </Badge>
  );
}

/** Seconds (operations spec, section 9). */
const toneOf = (seconds: number): Tone => (seconds < 101 ? 'green' : seconds < 300 ? 'orange' : 'red');

/** How long the call took, how long until its first token, and whether it was streamed. */
export function TimeBadges({ log }: { log: Log }) {
  const { t } = useTranslation('log');
  const styles = useStyles();
  if (log.type !== logType.consume) return null;
  const { frt = -1, ws } = readRecord(log);
  const firstSeconds = frt / 1000;
  return (
    <div className={styles.row}>
      <ToneBadge tone={toneOf(log.use_time)} className={styles.figure}>
        {t('seconds', { value: log.use_time })}
      </ToneBadge>
      {log.is_stream && frt >= 0 && firstSeconds < 10 && (
        <ToneBadge tone={firstSeconds < 3 ? 'green' : 'orange'} className={styles.figure}>
          {t('firstToken', { value: firstSeconds.toFixed(1) })}
        </ToneBadge>
      )}
      <Text size={200}>{t(ws ? 'realtime' : log.is_stream ? 'stream' : 'whole')}</Text>
    </div>
  );
}
