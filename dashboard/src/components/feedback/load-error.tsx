import { Button, MessageBar, MessageBarActions, MessageBarBody, MessageBarTitle } from '@fluentui/react-components';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../api/api-error.ts';

/** Instead of what could not be read: why, under which request id, and a way to try again. */
export function LoadError({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const { t } = useTranslation('shell');
  const requestId = error instanceof ApiError ? error.requestId : '';
  return (
    <MessageBar intent="error" layout="multiline" role="alert">
      <MessageBarBody>
        <MessageBarTitle>{t('error.load')}</MessageBarTitle>
        {error.message} {requestId && t('error.request', { id: requestId })}
      </MessageBarBody>
      <MessageBarActions>
        <Button onClick={onRetry}>{t('action.retry')}</Button>
      </MessageBarActions>
    </MessageBar>
  );
}
