import { Button, Text } from '@fluentui/react-components';
import { useTranslation } from 'react-i18next';
import { useSessionsEnd, useSessionsOf } from '../../api/user-inspection.ts';
import { SessionList } from '../../components/account/session-list.tsx';
import { useConfirm } from '../../components/feedback/confirm.tsx';
import { useNotify } from '../../components/feedback/notify.tsx';
import { UntilLoaded } from '../../components/feedback/until-loaded.tsx';
import { SectionCard } from '../../components/section-card.tsx';

/** Where a user is signed in, and how to end it. */
export function UserSessionsTab({ id }: { id: number }) {
  const { t } = useTranslation('user');
  const notify = useNotify();
  const confirm = useConfirm();
  const reading = useSessionsOf(id);
  const { end, endAll } = useSessionsEnd(id);
  const sessions = reading.data ?? [];
  const hasOthers = sessions.some(({ current }) => !current);

  const endOne = (session: string) => end(session).then(() => notify.success(t('account:session.ended')), notify.error);

  async function endEvery(): Promise<void> {
    const question = { title: t('sessions.endTitle'), text: t('sessions.endText'), action: t('sessions.end') };
    if (!(await confirm({ ...question, isDangerous: true }))) return;
    await endAll().then((count) => notify.success(t('sessions.ended', { count })), notify.error);
  }

  return (
    <SectionCard
      title={t('account:session.title')}
      purpose={t('sessions.purpose')}
      aside={hasOthers && <Button onClick={() => void endEvery()}>{t('sessions.end')}</Button>}
    >
      <UntilLoaded reading={reading} />
      {reading.data?.length === 0 && <Text>{t('sessions.none')}</Text>}
      <SessionList sessions={sessions} onEnd={(session) => void endOne(session)} />
    </SectionCard>
  );
}
