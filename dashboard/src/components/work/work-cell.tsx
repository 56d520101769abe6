import { Badge, type BadgeProps, makeStyles, ProgressBar, Text, tokens } from '@fluentui/react-components';
import { useEffect } from 'react';
import { idlePollMs, isWaiting } from '../../api/retry.ts';

/** Asks again for as long as something is under way and the page is looked at. */
export function useWorkPolling(isRunning: boolean, refresh: () => void): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new one with each render does the same
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible' && !isWaiting()) refresh();
    }, idlePollMs);
    return () => clearInterval(timer);
  }, [isRunning]);
}

const statusColors: Record<string, BadgeProps['color']> = {
  SUCCESS: 'success',
  FAILURE: 'danger',
  IN_PROGRESS: 'brand',
  QUEUED: 'warning',
  MODAL: 'warning',
};

/** Neither done nor given up. */
export const isUnderWay = ({ status }: { status: string }) => !['SUCCESS', 'FAILURE', 'UNKNOWN'].includes(status);

export function WorkStatus({ status, text }: { status: string; text: string }) {
  return (
    <Badge appearance="tint" color={statusColors[status] ?? 'informative'}>
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

export function WorkDuration({ seconds, text }: { seconds: number; text: string }) {
  return (
    <Badge appearance="tint" color={seconds > slowSeconds ? 'danger' : 'success'}>
      {text}
    </Badge>
  );
}

const useStyles = makeStyles({
  progress: { display: 'flex', flexDirection: 'column', gap: '4px', width: '100%', maxWidth: '140px' },
  figure: { fontVariantNumeric: 'tabular-nums' },
  facts: {
    display: 'grid',
    gridTemplateColumns: 'auto 1fr',
    gap: '6px 16px',
    margin: 0,
    padding: tokens.spacingHorizontalL,
    borderRadius: tokens.borderRadiusMedium,
    backgroundColor: tokens.colorNeutralBackground2,
  },
  term: { color: tokens.colorNeutralForeground3 },
  fact: { margin: 0, minWidth: 0, overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' },
});

/** `45%`, as the vendors write it, and as a bar. */
export function WorkProgress({ progress, isFailed, label }: { progress: string; isFailed: boolean; label: string }) {
  const styles = useStyles();
  const percent = Math.min(Math.max(Number.parseFloat(progress) || 0, 0), 100);
  return (
    <div className={styles.progress}>
      <Text size={200} className={styles.figure}>
        {progress || '0%'}
      </Text>
      <ProgressBar aria-label={label} thickness="medium" value={percent / 100} color={isFailed ? 'error' : 'brand'} />
    </div>
  );
}

/** What a row holds beyond its columns; what is empty is left out. */
export function WorkFacts({ facts }: { facts: { label: string; text: string }[] }) {
  const styles = useStyles();
  return (
    <dl className={styles.facts}>
      {facts
        .filter(({ text }) => text !== '')
        .map(({ label, text }) => (
          <div key={label} style={{ display: 'contents' }}>
            <dt className={styles.term}>{label}</dt>
            <dd className={styles.fact}>{text}</dd>
          </div>
        ))}
    </dl>
  );
}
