import { MessageBar, MessageBarBody, makeStyles } from '@fluentui/react-components';
import { useTranslation } from 'react-i18next';
import { useIsWaiting } from '../../api/retry.ts';

const useStyles = makeStyles({ bar: { flexShrink: 0, borderRadius: 0 } });

/** While the server asks for patience: what is missing comes by itself. */
export function WaitBar() {
  const { t } = useTranslation('shell');
  const styles = useStyles();
  if (!useIsWaiting()) return null;
  return (
    <MessageBar className={styles.bar} role="complementary" intent="info" layout="multiline">
      <MessageBarBody>{t('state.waiting')}</MessageBarBody>
    </MessageBar>
  );
}
