import { Button, MessageBar, MessageBarActions, MessageBarBody, MessageBarTitle } from '@fluentui/react-components';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../api/api-error.ts';
import { ButtonLink } from '../button-link.tsx';

interface LoadErrorProps {
  /** What could not be read, where the page shows more than that. */
  title?: string;
  error: Error;
  onRetry: () => void;
}

/** Instead of what could not be read: why, under which request id, and a way to try again, or back when that is of no use. */
export function LoadError({ title, error, onRetry }: LoadErrorProps) {
  const { t } = useTranslation('shell');
  const { requestId = '', status = 0 } = error instanceof ApiError ? error : {};
  const isForbidden = status === 403;
  return (
    <MessageBar intent="error" role="alert">
      <MessageBarBody>
        <MessageBarTitle>{isForbidden ? t('forbidden.title') : (title ?? t('error.load'))}</MessageBarTitle>
        {error.message} {requestId && t('error.request', { id: requestId })}
      </MessageBarBody>
      <MessageBarActions>
        {isForbidden ? (
          <ButtonLink to="/token">{t('wayBack.console')}</ButtonLink>
        ) : (
          <Button onClick={onRetry}>{t('action.retry')}</Button>
        )}
      </MessageBarActions>
    </MessageBar>
  );
}
