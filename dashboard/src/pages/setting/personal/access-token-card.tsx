import { Button, Field, Input, makeStyles, tokens } from '@fluentui/react-components';
import { Copy20Regular } from '@fluentui/react-icons/svg/copy';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelfActions, useTwoFactor } from '../../../api/self.ts';
import { useConfirm } from '../../../components/feedback/confirm.tsx';
import { useCopy } from '../../../components/feedback/copy.tsx';
import { useNotify } from '../../../components/feedback/notify.tsx';
import { SectionCard } from '../../../components/section-card.tsx';

const PasswordDialog = lazy(() => import('./password-dialog.tsx').then((file) => ({ default: file.PasswordDialog })));

const useStyles = makeStyles({
  token: { fontFamily: tokens.fontFamilyMonospace },
});

/** The secret for the console's own API; stands here once, when it is made. */
export function AccessTokenCard() {
  const { t } = useTranslation('account');
  const styles = useStyles();
  const notify = useNotify();
  const confirm = useConfirm();
  const copy = useCopy();
  const { createAccessToken } = useSelfActions();
  const [token, setToken] = useState<string>();

  const { data: factor } = useTwoFactor();
  const [isAsking, setAsking] = useState(false);

  async function make(password = ''): Promise<void> {
    const made = await createAccessToken(password);
    setAsking(false);
    setToken(made);
    await copy(made, t('accessToken.done'));
  }

  /** Without a password a sign-in of a moment ago is in its place; the server says so where it is missing. */
  async function renew(): Promise<void> {
    if (factor?.password_needed ?? true) return setAsking(true);
    const question = { title: t('accessToken.title'), text: t('accessToken.warning'), action: t('accessToken.action') };
    if (await confirm(question)) await make().catch(notify.error);
  }

  return (
    <SectionCard
      title={t('accessToken.title')}
      purpose={t('accessToken.purpose')}
      aside={<Button onClick={() => void renew()}>{t('accessToken.action')}</Button>}
    >
      {token !== undefined && (
        <Field label={t('accessToken.token')} hint={t('accessToken.once')}>
          <Input
            readOnly
            className={styles.token}
            value={token}
            onFocus={(event) => event.currentTarget.select()}
            contentAfter={
              <Button
                appearance="transparent"
                size="small"
                icon={<Copy20Regular />}
                aria-label={t('accessToken.copy')}
                onClick={() => void copy(token, t('accessToken.copied'))}
              />
            }
          />
        </Field>
      )}
      <Suspense fallback={null}>
        {isAsking && (
          <PasswordDialog
            title={t('accessToken.title')}
            purpose={t('accessToken.warning')}
            onSubmit={make}
            onClose={() => setAsking(false)}
          />
        )}
      </Suspense>
    </SectionCard>
  );
}
