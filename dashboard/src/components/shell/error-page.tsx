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
      text={isMissingFile(error) ? t('error.missingFile') : messageOf(error)}
      action={
        <Button appearance="primary" onClick={() => location.reload()}>
          {t('action.reload')}
        </Button>
      }
    />
  );
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** What Chrome, Firefox, Safari and Vite say, in English only, of a part of the console that cannot be loaded. */
const isMissingFile = (error: unknown) => /imported module|module script|preload/.test(messageOf(error));
