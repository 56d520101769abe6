import { Button } from '@fluentui/react-components';
import { Search20Regular } from '@fluentui/react-icons/svg/search';
import type { ReactElement, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { StatePanel } from '../state-panel.tsx';

export function EmptyList({ icon, text, action }: { icon: ReactElement; text: string; action?: ReactNode }) {
  return <StatePanel icon={icon} title={text} action={action} />;
}

export function NoHit({ onClear }: { onClear: () => void }) {
  const { t } = useTranslation('shell');
  return (
    <StatePanel
      icon={<Search20Regular />}
      title={t('state.noHit')}
      action={<Button onClick={onClear}>{t('list.clear')}</Button>}
    />
  );
}
