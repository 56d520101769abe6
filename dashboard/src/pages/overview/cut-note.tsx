import { MessageBar, MessageBarBody } from '@fluentui/react-components';
import { useTranslation } from 'react-i18next';
import { maxOverviewDays } from '../../../../core/schemas/overview-days.ts';

/** That a chosen time is longer than an overview covers. `isPart`: it concerns only how requests ended and how fast they were. */
export function CutNote({ isPart = false }: { isPart?: boolean }) {
  const { t } = useTranslation('overview');
  return (
    <MessageBar intent="info" layout="multiline">
      <MessageBarBody>{t(isPart ? 'cutPart' : 'cut', { days: maxOverviewDays })}</MessageBarBody>
    </MessageBar>
  );
}
