import { MessageBar, MessageBarBody, makeStyles, Spinner, tokens } from '@fluentui/react-components';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import type { Log } from '../../../../core/schemas/log.ts';
import { logType } from '../../../../core/schemas/log-type.ts';
import { refreshFirstSteps, useNewestRequest } from '../../api/get-started.ts';
import { ButtonLink } from '../../components/button-link.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { useFormat } from '../../state/format.ts';

const useStyles = makeStyles({
  waiting: { justifyContent: 'flex-start' },
  step: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalL },
  actions: { display: 'flex', flexWrap: 'wrap', gap: tokens.spacingHorizontalM },
});

const receiptPath = ({ request_id }: Log) => `/log?range=all&request_id=${encodeURIComponent(request_id ?? '')}`;

/** Looks for the first request every few seconds, and says at once when one came and failed. */
export function WaitingForRequest() {
  const { t } = useTranslation('setup');
  const styles = useStyles();
  const request = useNewestRequest(true).data?.request;
  const isServed = request?.type === logType.consume;
  useEffect(() => {
    if (isServed) void refreshFirstSteps();
  }, [isServed]);
  return (
    <div className={styles.step}>
      <Spinner className={styles.waiting} size="tiny" label={t('request.waiting')} labelPosition="after" />
      {request?.type === logType.error && (
        <MessageBar intent="error" layout="multiline">
          <MessageBarBody>
            {t('request.failed', { reason: request.content })}{' '}
            <TextLink to={receiptPath(request)}>{t('request.details')}</TextLink>
          </MessageBarBody>
        </MessageBar>
      )}
    </div>
  );
}

/** The first one that was served, and where to go from here. */
export function FirstRequest({ request }: { request: Log }) {
  const { t } = useTranslation('setup');
  const styles = useStyles();
  const format = useFormat();
  const facts = { model: request.model_name, cost: format.cost(request.quota), time: format.time(request.created_at) };
  return (
    <div className={styles.step}>
      <MessageBar intent="success" layout="multiline">
        <MessageBarBody>
          {t('request.arrived', facts)} <TextLink to={receiptPath(request)}>{t('request.receipt')}</TextLink>
        </MessageBarBody>
      </MessageBar>
      <div className={styles.actions}>
        <ButtonLink to="/" appearance="primary">
          {t('next.overview')}
        </ButtonLink>
        <ButtonLink to="/setting?tab=ratio">{t('next.prices')}</ButtonLink>
        <ButtonLink to="/setting?tab=system">{t('next.registration')}</ButtonLink>
      </div>
    </div>
  );
}
