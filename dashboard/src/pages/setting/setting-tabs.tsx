import { makeStyles, Subtitle1, tokens } from '@fluentui/react-components';
import { Search24Regular } from '@fluentui/react-icons/svg/search';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { FormProvider, useFormState } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useLocation, useSearchParams } from 'react-router-dom';
import { optionTabs } from '../../../../core/schemas/option/card.ts';
import type { OptionDetail } from '../../../../core/schemas/option.ts';
import { SearchInput } from '../../components/form/search-input.tsx';
import { useLeaveGuard } from '../../components/form/use-leave-guard.ts';
import { StatePanel } from '../../components/state-panel.tsx';
import { useOptionText } from '../../i18n/option-text.ts';
import { PersonalSlot } from './personal-slot.tsx';
import { SaveBar } from './save-bar.tsx';
import { searchSettings } from './search-settings.ts';
import { fieldName, shownOptions } from './setting-form.ts';
import { SettingList } from './setting-list.tsx';
import { SettingPanel } from './setting-panel.tsx';
import { usePlace, useSectionInView } from './use-section.ts';
import { SettingsProvider, useSettingsForm } from './use-settings.ts';

const ConflictDialog = lazy(() => import('./conflict-dialog.tsx').then((file) => ({ default: file.ConflictDialog })));

const useStyles = makeStyles({
  layout: {
    display: 'grid',
    gridTemplateColumns: '224px minmax(0, 1fr)',
    gap: '24px',
    alignItems: 'start',
    '@media (max-width: 900px)': { gridTemplateColumns: 'minmax(0, 1fr)', gap: tokens.spacingVerticalM },
  },
  side: {
    display: 'flex',
    flexDirection: 'column',
    gap: tokens.spacingVerticalS,
    '@media (min-width: 901px)': {
      position: 'sticky',
      top: '16px',
      maxHeight: 'calc(100vh - 96px)',
      overflowY: 'auto',
      padding: '2px',
    },
  },
  search: { width: '100%', maxWidth: '100%' },
  cards: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalL, minWidth: 0 },
  found: { margin: 0 },
});

/** Every setting by tab and card; a search looks through all of them, and one bar saves what was changed of them. */
export function SettingTabs({ loaded }: { loaded: OptionDetail[] }) {
  const { t } = useTranslation('setting');
  const optionText = useOptionText();
  const styles = useStyles();
  const settings = useSettingsForm(loaded);
  const { dirtyFields } = useFormState({ control: settings.form.control });
  const [query] = useSearchParams();
  const linked = query.get('q') ?? '';
  const [search, setSearch] = useState(linked);
  const { key: visit } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: whatever link was pressed, what it names is what is to be seen
  useEffect(() => setSearch(linked), [linked, visit]);
  const place = usePlace();
  const { tab } = place;
  const changed = shownOptions.filter((key) => dirtyFields[fieldName(key)]);
  useLeaveGuard({ hasChanges: () => changed.length > 0 });
  const found =
    search.trim() === ''
      ? undefined
      : searchSettings(search, { ofCard: (card) => t(`option:card.${card}.title`), ofOption: optionText });
  const read = useSectionInView(place, found !== undefined);
  // Once shown it stays, out of sight: what was typed there is not lost by a look at another tab.
  const isPersonal = !found && !tab;
  const wasPersonal = useRef(false);
  wasPersonal.current ||= isPersonal;

  return (
    <SettingsProvider value={settings}>
      <FormProvider {...settings.form}>
        <div className={styles.layout}>
          <div className={styles.side}>
            <SearchInput
              className={styles.search}
              aria-label={t('search')}
              placeholder={t('search')}
              value={search}
              maxLength={64}
              onChange={(_event, { value }) => setSearch(value)}
            />
            <SettingList place={place} read={read} isCurrent={!found} changed={changed} />
          </div>
          <div className={styles.cards}>
            {found && found.length === 0 && <StatePanel icon={<Search24Regular />} title={t('shell:state.noHit')} />}
            {found?.map(({ tab: entry, hits }) => (
              <div key={entry} className={styles.cards}>
                <Subtitle1 as="h2" className={styles.found}>
                  {t(`option:tab.${entry}`)}
                </Subtitle1>
                {hits.map(({ card, shown }) => (
                  <SettingPanel key={card} card={card} shown={shown} />
                ))}
              </div>
            ))}
            {!found && tab && optionTabs[tab].map((card) => <SettingPanel key={card} card={card} />)}
            {wasPersonal.current && (
              <div hidden={!isPersonal}>
                <PersonalSlot />
              </div>
            )}
            {changed.length > 0 && <SaveBar changed={changed} />}
          </div>
        </div>
        {settings.conflicts.length > 0 && (
          <Suspense fallback={null}>
            <ConflictDialog
              conflicts={settings.conflicts}
              onAnswer={(choice) => void settings.resolveConflict(choice)}
            />
          </Suspense>
        )}
      </FormProvider>
    </SettingsProvider>
  );
}
