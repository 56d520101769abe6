import {
  Button,
  MessageBar,
  MessageBarActions,
  MessageBarBody,
  MessageBarTitle,
  makeStyles,
  ProgressBar,
  tokens,
} from '@fluentui/react-components';
import { Dismiss20Regular } from '@fluentui/react-icons/svg/dismiss';
import { useTranslation } from 'react-i18next';
import type { BalanceProgress, RunProgress, TestProgress } from '../../api/channel.ts';

const useStyles = makeStyles({
  body: { width: '100%' },
  bar: { marginTop: tokens.spacingVerticalS, maxWidth: '480px' },
  failed: {
    margin: `${tokens.spacingVerticalXS} 0 0`,
    paddingInlineStart: '20px',
    maxHeight: '120px',
    overflowY: 'auto',
  },
});

interface RunBarProps {
  title: string;
  /** Where it is, or how it ended. */
  text: string;
  /** What came of it. */
  outcome: string | undefined;
  /** Channels it is through with. */
  done: number;
  failedLabel: string;
  progress: RunProgress;
  onDismiss: () => void;
}

interface BarProps<Progress> {
  progress: Progress;
  onDismiss: () => void;
}

const stateOf = ({ running, finished }: RunProgress) => (running ? 'going' : finished ? 'over' : 'broken');

/** How far the test of all channels is, and what came of it. */
export function TestBar({ progress, onDismiss }: BarProps<TestProgress>) {
  const { t } = useTranslation('channel');
  const { running, tested, total, failed, disabled, enabled } = progress;
  const outcome = !running && disabled + enabled > 0 ? t('run.switched', { disabled, enabled }) : undefined;
  return (
    <RunBar
      {...{ progress, onDismiss, outcome, title: t('run.title'), failedLabel: t('run.failed'), done: tested }}
      text={t(`run.${stateOf(progress)}`, { tested, total, failed: failed.length })}
    />
  );
}

/** As `TestBar`, for reading what is left on the accounts. */
export function BalanceBar({ progress, onDismiss }: BarProps<BalanceProgress>) {
  const { t } = useTranslation('channel');
  const { running, asked, total, updated, failed, disabled } = progress;
  const outcome = !running && disabled > 0 ? t('balances.switched', { count: disabled }) : undefined;
  return (
    <RunBar
      {...{ progress, onDismiss, outcome, title: t('balances.title'), failedLabel: t('balances.failed'), done: asked }}
      text={t(`balances.${stateOf(progress)}`, { asked, total, updated, failed: failed.length })}
    />
  );
}

function RunBar({ title, text, outcome, done, failedLabel, progress, onDismiss }: RunBarProps) {
  const { t } = useTranslation('channel');
  const styles = useStyles();
  const { running, total, failed, finished } = progress;
  const isBroken = !running && !finished;
  return (
    <MessageBar intent={failed.length > 0 || isBroken ? 'warning' : running ? 'info' : 'success'} layout="multiline">
      <MessageBarBody className={styles.body}>
        <MessageBarTitle>{title}</MessageBarTitle>
        <span role="status">{text}</span>
        {outcome !== undefined && <> {outcome}</>}
        {running && (
          <ProgressBar className={styles.bar} aria-label={text} value={total > 0 ? done / total : undefined} />
        )}
        {failed.length > 0 && (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a long list is scrolled by keyboard
          <ul className={styles.failed} tabIndex={0} aria-label={failedLabel}>
            {failed.map(({ id, name, reason }) => (
              <li key={id}>{t('run.reason', { id, name, reason })}</li>
            ))}
          </ul>
        )}
      </MessageBarBody>
      {!running && (
        <MessageBarActions
          containerAction={
            <Button
              appearance="transparent"
              icon={<Dismiss20Regular />}
              aria-label={t('shell:action.close')}
              onClick={onDismiss}
            />
          }
        />
      )}
    </MessageBar>
  );
}
