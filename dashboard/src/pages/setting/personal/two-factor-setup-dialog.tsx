import { Button, Field, Input, Link, makeStyles, Text, tokens } from '@fluentui/react-components';
import { Copy20Regular } from '@fluentui/react-icons/svg/copy';
import { useTranslation } from 'react-i18next';
import type { TwoFactorSetup } from '../../../../../core/schemas/two-factor.ts';
import { useTwoFactorActions } from '../../../api/self.ts';
import { useCopy } from '../../../components/feedback/copy.tsx';
import { useNotify } from '../../../components/feedback/notify.tsx';
import { FormDialog } from '../../../components/feedback/panel-dialog.tsx';
import { BackupCodeList } from './backup-code-list.tsx';
import { CodeField, useCodeForm } from './code-field.tsx';
import { QrImage } from './qr-image.tsx';

const useStyles = makeStyles({
  scan: { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: tokens.spacingHorizontalL },
  words: { flex: '1 1 200px', minWidth: 0, display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalS },
  secret: { fontFamily: tokens.fontFamilyMonospace },
  step: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalS },
});

/** Three steps: scan, keep the backup codes, prove that the app has it. Nothing is asked for before the last. */
export function TwoFactorSetupDialog({ setup, onClose }: { setup: TwoFactorSetup; onClose: () => void }) {
  const { t } = useTranslation('account');
  const styles = useStyles();
  const copy = useCopy();
  const notify = useNotify();
  const { enable } = useTwoFactorActions();
  const form = useCodeForm(async (code) => {
    await enable(code);
    notify.success(t('twoFactor.on'));
    onClose();
  });
  return (
    <FormDialog
      title={t('twoFactor.enable')}
      isKept
      action={t('twoFactor.enable')}
      isBusy={form.isSending}
      onSubmit={form.submit}
      onClose={onClose}
    >
      <div className={styles.step}>
        <Text weight="semibold">{t('twoFactor.scan')}</Text>
        <div className={styles.scan}>
          <QrImage text={setup.qr_code_data} label={t('twoFactor.picture')} />
          <div className={styles.words}>
            <Link href={setup.qr_code_data}>{t('twoFactor.openApp')}</Link>
            <Field label={t('twoFactor.secret')}>
              <Input
                readOnly
                className={styles.secret}
                value={setup.secret}
                contentAfter={
                  <Button
                    appearance="transparent"
                    size="small"
                    icon={<Copy20Regular />}
                    aria-label={t('twoFactor.copySecret')}
                    onClick={() => void copy(setup.secret)}
                  />
                }
              />
            </Field>
          </div>
        </div>
      </div>
      <div className={styles.step}>
        <Text weight="semibold">{t('twoFactor.keep')}</Text>
        <Text>{t('twoFactor.backupHint')}</Text>
        <BackupCodeList codes={setup.backup_codes} />
      </div>
      <div className={styles.step}>
        <Text weight="semibold">{t('twoFactor.prove')}</Text>
        <CodeField form={form} hint={t('twoFactor.proveHint')} />
      </div>
    </FormDialog>
  );
}
