import { Button, MessageBar, MessageBarActions, MessageBarBody, MessageBarTitle } from '@fluentui/react-components';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../api/api-error.ts';
import { ButtonLink } from '../button-link.tsx';

/** Instead of what could not be read: why, under which request id, and a way to try again, or back when that is of no use. */
export function LoadError({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const { t } = useTranslation('shell');
  const { requestId = '', status = 0 } = error instanceof ApiError ? error : {};
  const isForbidden = status === 403;
  return (
    <MessageBar intent="error" layout="multiline" role="alert">
      <MessageBarBody>
        <MessageBarTitle>{t(isForbidden ? 'forbidden.title' : 'error.load')}</MessageBarTitle>
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
