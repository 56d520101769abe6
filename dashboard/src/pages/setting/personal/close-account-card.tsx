import { Button } from '@fluentui/react-components';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { useSelfActions } from '../../../api/self.ts';
import { endSession } from '../../../api/session.ts';
import { useConfirm } from '../../../components/feedback/confirm.tsx';
import { useNotify } from '../../../components/feedback/notify.tsx';
import { SectionCard } from '../../../components/section-card.tsx';
import { isRoot, sessionUser } from '../../../state/session.ts';

/** The end of the own account; the super admin's cannot end. */
export function CloseAccountCard() {
  const { t } = useTranslation('account');
  const confirm = useConfirm();
  const notify = useNotify();
  const navigate = useNavigate();
  const { remove } = useSelfActions();
  const me = sessionUser.use();
  if (!me || isRoot(me)) return null;

  async function close({ username }: { username: string }): Promise<void> {
    const isSure = await confirm({
      title: t('close.title'),
      text: t('close.warning'),
      action: t('close.action'),
      word: username,
      isDangerous: true,
    });
    if (!isSure) return;
    try {
      await remove();
      endSession();
      notify.success(t('close.done'));
      await navigate('/login', { replace: true });
    } catch (error) {
      notify.error(error);
    }
  }

  return (
    <SectionCard
      title={t('close.title')}
      purpose={t('close.purpose')}
      aside={<Button onClick={() => void close(me)}>{t('close.action')}</Button>}
    />
  );
}
