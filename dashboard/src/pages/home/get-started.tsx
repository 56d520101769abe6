import {
  Button,
  Card,
  makeStyles,
  mergeClasses,
  ProgressBar,
  Subtitle2,
  Text,
  Tooltip,
  tokens,
} from '@fluentui/react-components';
import { CheckmarkCircle20Filled } from '@fluentui/react-icons/svg/checkmark-circle';
import { Circle20Regular } from '@fluentui/react-icons/svg/circle';
import { Dismiss20Regular } from '@fluentui/react-icons/svg/dismiss';
import { useTranslation } from 'react-i18next';
import { useSetupSteps } from '../../api/get-started.ts';
import { cardFrame, cardRoom } from '../../components/card-frame.ts';
import { TextLink } from '../../components/text-link.tsx';
import { isRoot, sessionUser } from '../../state/session.ts';
import { createStoredValue } from '../../state/stored-value.ts';

const isDismissed = createStoredValue<boolean>('get-started-dismissed', (stored) => stored === true);

const useStyles = makeStyles({
  card: { ...cardFrame, ...cardRoom, gap: tokens.spacingVerticalM },
  head: { display: 'flex', alignItems: 'center', gap: tokens.spacingHorizontalM },
  title: { flex: '1 1 auto', margin: 0 },
  steps: {
    listStyleType: 'none',
    margin: 0,
    padding: 0,
    display: 'grid',
    gridTemplateColumns: 'repeat(auto-fit, minmax(220px, 1fr))',
    gap: tokens.spacingHorizontalM,
  },
  step: { display: 'flex', alignItems: 'flex-start', gap: tokens.spacingHorizontalS },
  icon: { display: 'flex', flexShrink: 0, color: tokens.colorNeutralForeground3 },
  done: { color: tokens.colorStatusSuccessForeground1 },
  words: { display: 'flex', flexDirection: 'column', gap: '2px' },
  hint: { color: tokens.colorNeutralForeground3 },
});

/** What turns a fresh installation into a service; for root, until all is done or it is dismissed. */
export function GetStarted() {
  const { t } = useTranslation('home');
  const styles = useStyles();
  const isWanted = isRoot(sessionUser.use()) && !isDismissed.use();
  const { data: steps } = useSetupSteps(isWanted);
  if (!isWanted || !steps) return null;
  const list = (['password', 'channel', 'token', 'call'] as const).map((key) => ({ key, isDone: steps[key] }));
  const done = list.filter(({ isDone }) => isDone).length;
  if (done === list.length) return null;
  return (
    <Card className={styles.card} role="region" aria-label={t('start.title')}>
      <div className={styles.head}>
        <Subtitle2 as="h2" className={styles.title}>
          {t('start.title')}
        </Subtitle2>
        <Text size={200}>{t('start.progress', { done, total: list.length })}</Text>
        <Tooltip content={t('start.dismiss')} relationship="label">
          <Button appearance="subtle" icon={<Dismiss20Regular />} onClick={() => isDismissed.set(true)} />
        </Tooltip>
      </div>
      <ProgressBar value={done / list.length} thickness="large" aria-label={t('start.title')} />
      <ol className={styles.steps}>
        {list.map(({ key, isDone }) => (
          <li key={key} className={styles.step}>
            <span
              className={mergeClasses(styles.icon, isDone && styles.done)}
              role="img"
              aria-label={t(isDone ? 'start.done' : 'start.open')}
            >
              {isDone ? <CheckmarkCircle20Filled /> : <Circle20Regular />}
            </span>
            <span className={styles.words}>
              {isDone ? (
                <Text>{t(`step.${key}.title`)}</Text>
              ) : (
                <TextLink to="/setup">{t(`step.${key}.title`)}</TextLink>
              )}
              <Text size={200} className={styles.hint}>
                {t(`step.${key}.text`)}
              </Text>
            </span>
          </li>
        ))}
      </ol>
    </Card>
  );
}
