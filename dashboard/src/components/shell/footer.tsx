import { Caption1, makeStyles, tokens } from '@fluentui/react-components';
import { useTranslation } from 'react-i18next';
import { useStatus } from '../../api/status.ts';
import { OperatorContent } from '../operator-content.tsx';

const useStyles = makeStyles({
  footer: {
    padding: `${tokens.spacingVerticalL} ${tokens.spacingHorizontalL}`,
    textAlign: 'center',
    color: tokens.colorNeutralForeground3,
    fontSize: tokens.fontSizeBase200,
  },
});

/** The operator's own, or one line that says what this is. */
export function Footer() {
  const { t } = useTranslation('shell');
  const styles = useStyles();
  const { footer_html: ownFooter, system_name: systemName, version } = useStatus();
  return (
    <footer className={styles.footer}>
      {ownFooter ? (
        <OperatorContent content={ownFooter} title={t('shell.footer')} />
      ) : (
        <Caption1>{[systemName, version && `v${version}`].filter(Boolean).join(' ')}</Caption1>
      )}
    </footer>
  );
}
