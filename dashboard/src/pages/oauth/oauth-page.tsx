import { Spinner } from '@fluentui/react-components';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate, useParams, useSearchParams } from 'react-router-dom';
import { finishOutside } from '../../api/account.ts';
import { beginSession } from '../../api/session.ts';
import { useNotify } from '../../components/feedback/notify.tsx';
import { SignInCard } from '../../components/sign-in/sign-in-card.tsx';
import { useSecondStep } from '../../components/sign-in/use-second-step.ts';
import { sessionUser } from '../../state/session.ts';

/** Where a sign-in elsewhere comes back: signs in, or links the account to the signed-in user. */
export function OauthPage() {
  const { t } = useTranslation('sign-in');
  const { provider = '' } = useParams();
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const notify = useNotify();
  const isSignedIn = useSecondStep();
  const hasBegun = useRef(false);

  useEffect(() => {
    // A code is good once.
    if (hasBegun.current) return;
    hasBegun.current = true;
    finishOutside(provider, search).then(
      (user) => {
        if (user && !isSignedIn(user, '/')) return;
        if (user) beginSession(user);
        notify.success(t(user ? 'login.done' : 'bound'));
        void navigate(user ? '/' : '/setting', { replace: true });
      },
      (error: unknown) => {
        notify.error(error);
        void navigate(sessionUser.get() ? '/setting' : '/login', { replace: true });
      },
    );
  }, [provider, search, navigate, notify, isSignedIn, t]);

  return (
    <SignInCard title={t('oauth.title')}>
      <Spinner label={t('oauth.wait')} />
    </SignInCard>
  );
}
