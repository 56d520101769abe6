import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { explainCall } from '../../api/explain.ts';
import { LoadError } from '../../components/feedback/load-error.tsx';
import { Page } from '../../components/page.tsx';
import { ExplainForm } from './explain-form.tsx';
import { ExplanationCards } from './explanation-cards.tsx';

/** What would become of a request, without sending it. */
export function ExplainPage() {
  const { t } = useTranslation('explain');
  const { mutate, data, error, variables, isPending } = useMutation({ mutationFn: explainCall });
  return (
    <Page title={t('title')} purpose={t('purpose')}>
      <ExplainForm isBusy={isPending} onSubmit={mutate} />
      {error && !isPending && <LoadError error={error} onRetry={() => variables && mutate(variables)} />}
      {data && <ExplanationCards view={data} />}
    </Page>
  );
}
