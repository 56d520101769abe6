import { Button } from '@fluentui/react-components';
import { useTranslation } from 'react-i18next';
import { useRouteError } from 'react-router-dom';
import { StatePanel } from '../state-panel.tsx';

/** A page that failed: what happened, and a fresh start. After an upgrade the files of the old page are gone, which a reload mends. */
export function ErrorPage() {
  const { t } = useTranslation('shell');
  const error = useRouteError();
  return (
    <StatePanel
      role="alert"
      title={t('error.page')}
      text={error instanceof Error ? error.message : String(error)}
      action={
        <Button appearance="primary" onClick={() => location.reload()}>
          {t('action.reload')}
        </Button>
      }
    />
  );
}
