import {
  Badge,
  type BadgeProps,
  makeStyles,
  mergeClasses,
  ProgressBar,
  Text,
  tokens,
} from '@fluentui/react-components';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../state/format.ts';
import { isUnderWay, useSeconds } from './use-work-polling.ts';

const statusColors: Record<string, BadgeProps['color']> = {
  SUCCESS: 'success',
  FAILURE: 'danger',
  IN_PROGRESS: 'brand',
  QUEUED: 'warning',
  MODAL: 'warning',
};

const oneLine = { whiteSpace: 'nowrap' } as const;

export function WorkStatus({ status, text }: { status: string; text: string }) {
  return (
    <Badge appearance="tint" color={statusColors[status] ?? 'informative'} style={oneLine}>
      {text}
    </Badge>
  );
}

/** On one line, however long; the row opens to the whole of it. */
export function WorkText({ text }: { text: string }) {
  return (
    <Text truncate wrap={false} block title={text}>
      {text}
    </Text>
  );
}

const slowSeconds = 60;

interface WorkTimes {
  status: string;
  /** Unix seconds, 0 = not yet. */
  begun: number;
  done: number;
}

/** How long it took, red when that was long (never green: a job may fail quickly); how long it has been under way, until then. */
export function WorkDuration({ status, begun, done }: WorkTimes) {
  const { t } = useTranslation('work');
  const styles = useStyles();
  const isRunning = begun > 0 && isUnderWay({ status });
  const now = useSeconds(isRunning);
  const timeText = useDurationText();
  if (isRunning) {
    const time = timeText(Math.max(0, now - begun));
    return (
      <Badge appearance="tint" color="informative" className={styles.time} title={t('elapsed', { time })}>
        {time}
      </Badge>
    );
  }
  if (done <= 0 || begun <= 0) return null;
  const seconds = Math.max(0, done - begun);
  return (
    <Badge appearance="tint" className={styles.time} color={seconds > slowSeconds ? 'danger' : 'informative'}>
      {timeText(seconds)}
    </Badge>
  );
}

/** `61 s`, `5 min 20 s`, `3 h 12 min`. */
function useDurationText(): (seconds: number) => string {
  const { t } = useTranslation('work');
  return (seconds) => {
    const minutes = Math.floor(seconds / 60);
    if (minutes >= 60) return t('duration.hours', { hours: Math.floor(minutes / 60), minutes: minutes % 60 });
    if (minutes >= 2) return t('duration.minutes', { minutes, seconds: seconds % 60 });
    return t('duration.seconds', { value: seconds });
  };
}

const useStyles = makeStyles({
  progress: { display: 'flex', flexDirection: 'column', gap: '4px', flex: '1 1 64px', maxWidth: '140px' },
  time: { whiteSpace: 'nowrap', fontVariantNumeric: 'tabular-nums' },
  figure: { fontVariantNumeric: 'tabular-nums' },
  cost: { display: 'inline-flex', flexDirection: 'column', lineHeight: tokens.lineHeightBase200 },
  back: { textDecorationLine: 'line-through', color: tokens.colorNeutralForeground3 },
});

/** `45%`, as the vendors write it, and as a bar. */
export function WorkProgress({ progress, status }: { progress: string; status: string }) {
  const { t } = useTranslation('work');
  const styles = useStyles();
  const text = progress || '0%';
  const percent = Math.min(Math.max(Number.parseFloat(text) || 0, 0), 100);
  const color = status === 'FAILURE' ? 'error' : status === 'SUCCESS' ? 'success' : 'brand';
  return (
    <div className={styles.progress}>
      <Text size={200} className={styles.figure}>
        {text}
      </Text>
      <ProgressBar
        aria-label={t('progress', { progress: text })}
        thickness="medium"
        value={percent / 100}
        color={color}
      />
    </div>
  );
}

/** What it cost, and that it came back. */
export function WorkCost({ quota, refund }: { quota: number; refund: number }) {
  const { t } = useTranslation('work');
  const styles = useStyles();
  const format = useFormat();
  if (quota <= 0) return null;
  return (
    <span className={styles.cost}>
      <Text className={mergeClasses(styles.figure, refund > 0 && styles.back)}>{format.quota(quota)}</Text>
      {refund > 0 && <Text size={200}>{t('refunded')}</Text>}
    </span>
  );
}
