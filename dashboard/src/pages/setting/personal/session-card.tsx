import { Button } from '@fluentui/react-components';
import { useTranslation } from 'react-i18next';
import { useSelfActions, useSessions } from '../../../api/self.ts';
import { SessionList } from '../../../components/account/session-list.tsx';
import { useNotify } from '../../../components/feedback/notify.tsx';
import { UntilLoaded } from '../../../components/feedback/until-loaded.tsx';
import { SectionCard } from '../../../components/section-card.tsx';

/** Where one is signed in. */
export function SessionCard() {
  const { t } = useTranslation('account');
  const notify = useNotify();
  const reading = useSessions();
  const { data: sessions = [] } = reading;
  const { endSession, endOtherSessions } = useSelfActions();
  const hasOthers = sessions.some(({ current }) => !current);

  const end = (id: string) => endSession(id).then(() => notify.success(t('session.ended')), notify.error);
  const endOthers = () =>
    endOtherSessions().then((count) => notify.success(t('session.endedOthers', { count })), notify.error);

  return (
    <SectionCard
      title={t('session.title')}
      purpose={t('session.purpose')}
      aside={hasOthers && <Button onClick={() => void endOthers()}>{t('session.endOthers')}</Button>}
    >
      <UntilLoaded reading={reading} />
      <SessionList sessions={sessions} onEnd={(id) => void end(id)} />
    </SectionCard>
  );
}
