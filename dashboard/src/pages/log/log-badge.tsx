import { Badge, makeStyles } from '@fluentui/react-components';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { Log } from '../../../../core/schemas/log.ts';
import { logType } from '../../../../core/schemas/log-type.ts';
import { type Tone, ToneBadge } from '../../components/tone-badge.tsx';
import { type Format, useFormat } from '../../state/format.ts';
import { readRecord } from './log-record.ts';

const useStyles = makeStyles({
  figure: { fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' },
});

const typeColors = {
  [logType.topUp]: 'brand',
  [logType.consume]: 'success',
  [logType.manage]: 'warning',
  [logType.system]: 'informative',
  [logType.error]: 'danger',
  [logType.test]: 'subtle',
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

/** How long the request took. */
export function DurationBadge({ log }: { log: Log }) {
  const { t } = useTranslation('log');
  const styles = useStyles();
  const format = useFormat();
  if (!isRequest(log)) return null;
  const { duration_ms: duration = log.use_time * 1000 } = readRecord(log);
  return (
    <ToneBadge tone={toneOf(log.use_time)} className={styles.figure}>
      {secondsText(duration / 1000, format, t)}
    </ToneBadge>
  );
}

/** How long until the first token of a streamed response; what took longer than ten seconds is not told (G-265). */
export function FirstTokenBadge({ log }: { log: Log }) {
  const { t } = useTranslation('log');
  const styles = useStyles();
  const format = useFormat();
  const { frt = -1 } = readRecord(log);
  const seconds = frt / 1000;
  if (log.type !== logType.consume || !log.is_stream || frt < 0 || seconds >= 10) return null;
  return (
    <ToneBadge tone={seconds < 3 ? 'green' : 'orange'} className={styles.figure}>
      {secondsText(seconds, format, t)}
    </ToneBadge>
  );
}

/** Streamed, whole, or by a socket. */
export function useDelivery(): (log: Log) => string {
  const { t } = useTranslation('log');
  return (log) =>
    log.type === logType.consume ? t(readRecord(log).ws ? 'realtime' : log.is_stream ? 'stream' : 'whole') : '';
}

const isRequest = ({ type }: Log) => type === logType.consume || type === logType.test;

/** Whole seconds from ten on, where tenths do not matter. */
const secondsText = (seconds: number, format: Format, t: TFunction) =>
  t('seconds', { value: format.number(seconds < 10 ? Math.round(seconds * 10) / 10 : Math.round(seconds)) });
