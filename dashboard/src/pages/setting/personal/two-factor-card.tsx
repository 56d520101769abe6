import { Badge, Button, makeStyles, Text, tokens } from '@fluentui/react-components';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TwoFactorSetup, TwoFactorStatus } from '../../../../../core/schemas/two-factor.ts';
import { useTwoFactor, useTwoFactorActions } from '../../../api/self.ts';
import { useNotify } from '../../../components/feedback/notify.tsx';
import { UntilLoaded } from '../../../components/feedback/until-loaded.tsx';
import { SectionCard } from '../../../components/section-card.tsx';

const SetupDialog = lazy(() =>
  import('./two-factor-setup-dialog.tsx').then((file) => ({ default: file.TwoFactorSetupDialog })),
);
const PasswordDialog = lazy(() => import('./password-dialog.tsx').then((file) => ({ default: file.PasswordDialog })));
const CodeDialog = lazy(() => import('./code-dialog.tsx').then((file) => ({ default: file.CodeDialog })));
const BackupCodeDialog = lazy(() =>
  import('./backup-code-dialog.tsx').then((file) => ({ default: file.BackupCodeDialog })),
);

type Open =
  | { panel: 'setup'; setup: TwoFactorSetup }
  | { panel: 'password' | 'disable' | 'renew' }
  | { panel: 'codes'; codes: string[] };

const useStyles = makeStyles({
  buttons: { display: 'flex', flexWrap: 'wrap', gap: tokens.spacingHorizontalS },
});

/** A code of an authenticator app at every sign-in. */
export function TwoFactorCard() {
  const { t } = useTranslation('account');
  const styles = useStyles();
  const notify = useNotify();
  const reading = useTwoFactor();
  const { data: status } = reading;
  const { setUp, disable, renewCodes } = useTwoFactorActions();
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);

  const begin = async (password = '') => setOpen({ panel: 'setup', setup: await setUp(password) });

  function start({ password_needed: isNeeded }: TwoFactorStatus): void {
    if (isNeeded) setOpen({ panel: 'password' });
    else begin().catch(notify.error);
  }

  async function turnOff(code: string): Promise<void> {
    await disable(code);
    notify.success(t('twoFactor.off'));
    close();
  }

  return (
    <SectionCard
      title={t('twoFactor.title')}
      purpose={t('twoFactor.purpose')}
      aside={
        status && (
          <Badge appearance="tint" color={status.enabled ? 'success' : 'informative'}>
            {t(status.enabled ? 'twoFactor.isOn' : 'twoFactor.isOff')}
          </Badge>
        )
      }
    >
      <UntilLoaded reading={reading} />
      {status?.enabled && <Text>{t('twoFactor.left', { count: status.backup_codes_remaining })}</Text>}
      {status && (
        <div className={styles.buttons}>
          {status.enabled ? (
            <>
              <Button onClick={() => setOpen({ panel: 'renew' })}>{t('twoFactor.renew')}</Button>
              <Button onClick={() => setOpen({ panel: 'disable' })}>{t('twoFactor.disable')}</Button>
            </>
          ) : (
            <Button onClick={() => start(status)}>{t('twoFactor.enable')}</Button>
          )}
        </div>
      )}
      <Suspense fallback={null}>
        {open?.panel === 'password' && (
          <PasswordDialog
            title={t('twoFactor.enable')}
            purpose={t('twoFactor.passwordPurpose')}
            onSubmit={begin}
            onClose={close}
          />
        )}
        {open?.panel === 'setup' && <SetupDialog setup={open.setup} onClose={close} />}
        {open?.panel === 'disable' && (
          <CodeDialog title={t('twoFactor.disable')} onSubmit={turnOff} onClose={close} isDangerous />
        )}
        {open?.panel === 'renew' && (
          <CodeDialog
            title={t('twoFactor.renew')}
            onSubmit={async (code) => setOpen({ panel: 'codes', codes: await renewCodes(code) })}
            onClose={close}
          />
        )}
        {open?.panel === 'codes' && <BackupCodeDialog codes={open.codes} onClose={close} />}
      </Suspense>
    </SectionCard>
  );
}
