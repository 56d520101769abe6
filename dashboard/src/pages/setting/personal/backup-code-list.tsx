import { Button, makeStyles, tokens } from '@fluentui/react-components';
import { ArrowDownload20Regular } from '@fluentui/react-icons/svg/arrow-download';
import { Copy20Regular } from '@fluentui/react-icons/svg/copy';
import { useTranslation } from 'react-i18next';
import { useStatus } from '../../../api/status.ts';
import { useCopy } from '../../../components/feedback/copy.tsx';
import { saveText } from '../../../components/feedback/save-text.ts';

const useStyles = makeStyles({
  codes: {
    display: 'grid',
    gridTemplateColumns: 'repeat(auto-fill, minmax(120px, 1fr))',
    gap: tokens.spacingVerticalXS,
    margin: 0,
    padding: tokens.spacingHorizontalM,
    listStyleType: 'none',
    fontFamily: tokens.fontFamilyMonospace,
    borderRadius: tokens.borderRadiusMedium,
    backgroundColor: tokens.colorNeutralBackground3,
  },
  buttons: { display: 'flex', flexWrap: 'wrap', gap: tokens.spacingHorizontalS, marginTop: tokens.spacingVerticalS },
});

/** Codes for the day the phone is lost: to copy, or to keep as a file. */
export function BackupCodeList({ codes }: { codes: string[] }) {
  const { t } = useTranslation('account');
  const styles = useStyles();
  const copy = useCopy();
  const { system_name: systemName } = useStatus();
  const text = codes.join('\n');
  return (
    <div>
      <ul className={styles.codes} aria-label={t('twoFactor.backupCodes')}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className={styles.buttons}>
        <Button size="small" icon={<Copy20Regular />} onClick={() => void copy(text)}>
          {t('twoFactor.copyCodes')}
        </Button>
        <Button
          size="small"
          icon={<ArrowDownload20Regular />}
          onClick={() => saveText(`${systemName}-backup-codes.txt`, `${text}\n`)}
        >
          {t('twoFactor.saveCodes')}
        </Button>
      </div>
    </div>
  );
}
