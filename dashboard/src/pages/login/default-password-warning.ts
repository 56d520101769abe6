import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import type { SignIn } from '../../../../core/schemas/session.ts';
import { useConfirm } from '../../components/feedback/confirm.tsx';

/** What every new installation starts with (console reference, 4.3). */
const atFirst = { username: 'root', password: '123456' };

/** A user who signs in as root with the default password is asked to change it. */
export function useDefaultPasswordWarning() {
  const { t } = useTranslation('sign-in');
  const confirm = useConfirm();
  const navigate = useNavigate();
  return async ({ username, password }: SignIn): Promise<void> => {
    if (username !== atFirst.username || password !== atFirst.password) return;
    const wantsChange = await confirm({
      title: t('defaultPassword.title'),
      text: t('defaultPassword.text'),
      action: t('defaultPassword.action'),
      isForAnyPage: true,
    });
    if (wantsChange) await navigate('/setup');
  };
}
