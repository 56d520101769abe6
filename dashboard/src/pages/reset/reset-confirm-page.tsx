import { Button, Field, Input, MessageBar, MessageBarBody } from '@fluentui/react-components';
import { Copy20Regular } from '@fluentui/react-icons/svg/copy';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import { completeReset } from '../../api/account.ts';
import { ButtonLink } from '../../components/button-link.tsx';
import { useCopy } from '../../components/feedback/copy.tsx';
import { useNotify } from '../../components/feedback/notify.tsx';
import { SignInCard } from '../../components/sign-in/sign-in-card.tsx';
import { TextLink } from '../../components/text-link.tsx';

/** Where the link of the mail leads: makes the new password and shows it, once. */
export function ResetConfirmPage() {
  const { t } = useTranslation('sign-in');
  const [search] = useSearchParams();
  const notify = useNotify();
  const copy = useCopy();
  const [password, setPassword] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const email = search.get('email') ?? '';
  const token = search.get('token') ?? '';
  const isWhole = email !== '' && token !== '';

  async function confirm(): Promise<void> {
    setBusy(true);
    try {
      const made = await completeReset(email, token);
      setPassword(made);
      await copy(made, t('reset.copied'));
    } catch (error) {
      notify.error(error);
    } finally {
      setBusy(false);
    }
  }

  const purpose = password === undefined ? t('reset.confirmPurpose') : t('reset.donePurpose');
  return (
    <SignInCard
      title={t('reset.confirmTitle')}
      purpose={isWhole ? purpose : undefined}
      links={<TextLink to="/reset">{t('reset.again')}</TextLink>}
    >
      {!isWhole && (
        <MessageBar intent="error" layout="multiline">
          <MessageBarBody>{t('reset.broken')}</MessageBarBody>
        </MessageBar>
      )}
      <Field label={t('field.email')}>
        <Input value={email} readOnly />
      </Field>
      {password === undefined ? (
        <Button
          appearance="primary"
          size="large"
          disabledFocusable={!isWhole || isBusy}
          onClick={() => void (isWhole && !isBusy && confirm())}
        >
          {t('reset.confirm')}
        </Button>
      ) : (
        <>
          <Field label={t('reset.newPassword')}>
            <Input
              value={password}
              readOnly
              contentAfter={
                <Button
                  appearance="transparent"
                  size="small"
                  icon={<Copy20Regular />}
                  aria-label={t('reset.copy')}
                  onClick={() => void copy(password, t('reset.copied'))}
                />
              }
            />
          </Field>
          <ButtonLink to="/login" appearance="primary" size="large">
            {t('login.submit')}
          </ButtonLink>
        </>
      )}
    </SignInCard>
  );
}
