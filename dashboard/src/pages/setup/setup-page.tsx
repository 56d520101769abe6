import { makeStyles, Spinner } from '@fluentui/react-components';
import { useTranslation } from 'react-i18next';
import { Navigate } from 'react-router-dom';
import { type FirstSteps, useFirstSteps } from '../../api/get-started.ts';
import { useStatus, useStatusState } from '../../api/status.ts';
import { LoadError } from '../../components/feedback/load-error.tsx';
import { Page } from '../../components/page.tsx';
import { isRoot, sessionUser } from '../../state/session.ts';
import { useTypeName } from '../channel/channel-type.ts';
import { CreateKey, KeyStep } from './key-step.tsx';
import { ProviderStep } from './provider-step.tsx';
import { FirstRequest, WaitingForRequest } from './request-step.tsx';
import { RootForm } from './root-form.tsx';
import { StepCard } from './step-card.tsx';

const useStyles = makeStyles({
  place: { width: '100%', maxWidth: '960px', margin: '0 auto' },
});

/** The first minutes of an installation, from the password of root to the first request, on one page. */
export function SetupPage() {
  const { t } = useTranslation('setup');
  const styles = useStyles();
  const user = sessionUser.use();
  const { setup: hasPassword, system_name: name } = useStatus();
  const { isCurrent } = useStatusState();
  const isReady = hasPassword && isRoot(user);
  const { data: steps, error, refetch } = useFirstSteps(isReady);
  if (isCurrent && hasPassword && !user) return <Navigate to="/login" replace state={{ from: '/setup' }} />;
  if (isCurrent && hasPassword && !isReady) return <Navigate to="/" replace />;
  return (
    <div className={styles.place}>
      <Page
        title={t('title', { name })}
        purpose={t('purpose')}
        isReady={isCurrent && (!isReady || steps !== undefined)}
      >
        <StepCard
          number={1}
          title={t('password.title')}
          text={isReady ? t('password.done', { name: user?.username }) : t('password.text')}
          state={isReady ? 'done' : 'open'}
        >
          {isCurrent && !hasPassword && <RootForm />}
        </StepCard>
        {error && <LoadError error={error} onRetry={() => void refetch()} />}
        {isReady && !steps && !error && <Spinner size="small" label={t('shell:state.loading')} />}
        <OtherSteps steps={isReady ? steps : undefined} />
      </Page>
    </div>
  );
}

function OtherSteps({ steps }: { steps: FirstSteps | undefined }) {
  const { t } = useTranslation('setup');
  const typeName = useTypeName();
  const { channel, token, request } = steps ?? {};
  const stateOf = (isDone: boolean, isTurn: boolean) => (isDone ? 'done' : isTurn ? 'open' : 'later');
  const count = channel?.models.split(',').length ?? 0;
  return (
    <>
      <StepCard
        number={2}
        title={t('provider.title')}
        text={channel ? t('provider.done', { name: typeName(channel.type), count }) : t('provider.text')}
        state={stateOf(channel !== undefined, steps !== undefined)}
      >
        {steps && !channel && <ProviderStep hasToken={token !== undefined} />}
      </StepCard>
      <StepCard
        number={3}
        title={t('key.title')}
        text={token ? t('key.done', { name: token.name }) : t('key.text')}
        state={stateOf(channel !== undefined && token !== undefined, channel !== undefined)}
      >
        {channel && !token && <CreateKey />}
        {channel && token && !request && <KeyStep token={token} channel={channel} />}
      </StepCard>
      <StepCard
        number={4}
        title={t('request.title')}
        text={request ? undefined : t('request.text')}
        state={stateOf(request !== undefined, channel !== undefined && token !== undefined)}
      >
        {request ? <FirstRequest request={request} /> : <WaitingForRequest />}
      </StepCard>
    </>
  );
}
