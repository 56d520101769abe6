import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import type { OptionDetail } from '../../../../core/schemas/option.ts';
import { useSettingsQuery } from '../../api/setting.ts';
import { ButtonLink } from '../../components/button-link.tsx';
import { LoadError } from '../../components/feedback/load-error.tsx';
import { Page } from '../../components/page.tsx';
import { isRoot, sessionUser } from '../../state/session.ts';
import { PersonalSlot } from './personal-slot.tsx';
import { SettingSkeleton } from './setting-skeleton.tsx';
import { SettingTabs } from './setting-tabs.tsx';

/** The own account for all users, the whole installation for root. */
export function SettingPage() {
  const { t } = useTranslation('setting');
  if (!isRoot(sessionUser.use())) {
    return (
      <Page title={t('title')} purpose={t('ownPurpose')}>
        <PersonalSlot />
      </Page>
    );
  }
  return (
    <Page title={t('title')} purpose={t('purpose')} action={<ButtonLink to="/audit">{t('audit')}</ButtonLink>}>
      <Suspense fallback={<SettingSkeleton />}>
        <RootSettings />
      </Suspense>
    </Page>
  );
}

function RootSettings() {
  const { data, error, refetch } = useSettingsQuery();
  if (error && !data) return <LoadError error={error} onRetry={() => void refetch()} />;
  return data ? <SettingTabs loaded={data as OptionDetail[]} /> : <SettingSkeleton />;
}
