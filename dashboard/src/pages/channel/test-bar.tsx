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
import type { TestProgress } from '../../api/channel.ts';

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

/** How far the test of all channels is, and what came of it. */
export function TestBar({ progress, onDismiss }: { progress: TestProgress; onDismiss: () => void }) {
  const { t } = useTranslation('channel');
  const styles = useStyles();
  const { running, tested, total, failed, disabled, enabled, finished } = progress;
  const isBroken = !running && !finished;
  const text = t(running ? 'run.going' : isBroken ? 'run.broken' : 'run.over', {
    tested,
    total,
    failed: failed.length,
  });
  return (
    <MessageBar intent={failed.length > 0 || isBroken ? 'warning' : running ? 'info' : 'success'} layout="multiline">
      <MessageBarBody className={styles.body}>
        <MessageBarTitle>{t('run.title')}</MessageBarTitle>
        <span role="status">{text}</span>
        {!running && disabled + enabled > 0 && <> {t('run.switched', { disabled, enabled })}</>}
        {running && (
          <ProgressBar className={styles.bar} aria-label={text} value={total > 0 ? tested / total : undefined} />
        )}
        {failed.length > 0 && (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a long list is scrolled by keyboard
          <ul className={styles.failed} tabIndex={0} aria-label={t('run.failed')}>
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
