import { useTranslation } from 'react-i18next';
import { PanelDialog } from '../../../components/feedback/panel-dialog.tsx';
import { BackupCodeList } from './backup-code-list.tsx';

/** New backup codes; shown this once. */
export function BackupCodeDialog({ codes, onClose }: { codes: string[]; onClose: () => void }) {
  const { t } = useTranslation('account');
  return (
    <PanelDialog title={t('twoFactor.backupCodes')} isKept onClose={onClose}>
      {t('twoFactor.backupHint')}
      <BackupCodeList codes={codes} />
    </PanelDialog>
  );
}
