import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { api } from '../../api/client.ts';
import { endSession } from '../../api/session.ts';
import { useNotify } from '../feedback/notify.tsx';

export function useSignOut(): () => void {
  const navigate = useNavigate();
  const notify = useNotify();
  const { t } = useTranslation('shell');
  return () => {
    api.get('/api/user/logout').then(() => {
      endSession();
      notify.success(t('user.signedOut'));
      void navigate('/login');
    }, notify.error);
  };
}
