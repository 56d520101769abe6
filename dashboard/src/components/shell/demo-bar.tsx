import { MessageBar, MessageBarBody, makeStyles } from '@fluentui/react-components';
import { useTranslation } from 'react-i18next';
import { useStatus } from '../../api/status.ts';

const useStyles = makeStyles({ bar: { flexShrink: 0, borderRadius: 0 } });

/** On every page of a site with the setting `DemoSiteEnabled`. */
export function DemoBar() {
  const { t } = useTranslation('shell');
  const styles = useStyles();
  const { demo_site_enabled: isDemo } = useStatus();
  if (!isDemo) return null;
  return (
    <MessageBar className={styles.bar} role="complementary" intent="warning" layout="multiline">
      <MessageBarBody>{t('state.demo')}</MessageBarBody>
    </MessageBar>
  );
}
