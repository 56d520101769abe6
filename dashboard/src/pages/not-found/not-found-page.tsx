import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router-dom';
import { ButtonLink } from '../../components/button-link.tsx';
import { Page } from '../../components/page.tsx';
import { sessionUser } from '../../state/session.ts';

export function NotFoundPage() {
  const { t } = useTranslation('shell');
  const { pathname } = useLocation();
  const user = sessionUser.use();
  return (
    <Page title={t('notFound.title')} purpose={t('notFound.text', { path: pathname })}>
      <div>
        <ButtonLink to={user ? '/token' : '/login'} appearance="primary">
          {t(user ? 'notFound.console' : 'navigation.login')}
        </ButtonLink>
      </div>
    </Page>
  );
}
