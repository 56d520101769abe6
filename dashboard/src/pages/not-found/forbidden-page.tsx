import { useTranslation } from 'react-i18next';
import { ButtonLink } from '../../components/button-link.tsx';
import { Page } from '../../components/page.tsx';

export function ForbiddenPage() {
  const { t } = useTranslation('shell');
  return (
    <Page title={t('forbidden.title')} purpose={t('forbidden.text')}>
      <div>
        <ButtonLink to="/token" appearance="primary">
          {t('notFound.console')}
        </ButtonLink>
      </div>
    </Page>
  );
}
