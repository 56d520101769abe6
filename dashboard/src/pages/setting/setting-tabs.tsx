import { CounterBadge, makeStyles, SearchBox, Subtitle1, Tab, TabList, tokens } from '@fluentui/react-components';
import { Search24Regular } from '@fluentui/react-icons/svg/search';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { FormProvider, useFormState } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import { type OptionTab, optionTabKeys, optionTabs } from '../../../../core/schemas/option/card.ts';
import { type OptionDetail, optionsOfCard } from '../../../../core/schemas/option.ts';
import { useLeaveGuard } from '../../components/form/use-leave-guard.ts';
import { StatePanel } from '../../components/state-panel.tsx';
import { useOptionText } from '../../i18n/option-text.ts';
import { PersonalSlot } from './personal-slot.tsx';
import { searchSettings } from './search-settings.ts';
import { fieldName } from './setting-form.ts';
import { SettingPanel } from './setting-panel.tsx';
import { SettingsProvider, useSettingsForm } from './use-settings.ts';

const ConflictDialog = lazy(() => import('./conflict-dialog.tsx').then((file) => ({ default: file.ConflictDialog })));

const useStyles = makeStyles({
  tools: { display: 'flex', flexWrap: 'wrap', gap: tokens.spacingHorizontalM, alignItems: 'center' },
  tabs: { flex: '1 1 auto', overflowX: 'auto', marginLeft: '-12px' },
  tab: { display: 'inline-flex', alignItems: 'center', gap: tokens.spacingHorizontalXS },
  search: { width: '240px', maxWidth: '100%', '@media (max-width: 600px)': { width: '100%' } },
  cards: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalL, minWidth: 0 },
  found: { margin: `${tokens.spacingVerticalM} 0 0` },
});

/** Every setting by tab and card; a search looks through all of them. */
export function SettingTabs({ loaded }: { loaded: OptionDetail[] }) {
  const { t } = useTranslation('setting');
  const optionText = useOptionText();
  const styles = useStyles();
  const settings = useSettingsForm(loaded);
  const { dirtyFields } = useFormState({ control: settings.form.control });
  const [query, setQuery] = useSearchParams();
  const linked = query.get('q') ?? '';
  const [search, setSearch] = useState(linked);
  // A link to a setting, perhaps from this very page.
  useEffect(() => setSearch(linked), [linked]);
  const tab = optionTabKeys.find((key) => key === query.get('tab'));
  const tabs = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when another tab is chosen
  useEffect(() => {
    // On a phone the tabs are wider than the page.
    const chosen = tabs.current?.querySelector('[aria-selected=true]');
    chosen?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [tab]);
  const changesOf = (entry: OptionTab) =>
    optionTabs[entry].flatMap(optionsOfCard).filter((key) => dirtyFields[fieldName(key)]).length;
  useLeaveGuard(() => optionTabKeys.some((entry) => changesOf(entry) > 0));
  const found =
    search.trim() === ''
      ? undefined
      : searchSettings(search, { ofCard: (card) => t(`option:card.${card}.title`), ofOption: optionText });
  // Once shown it stays, out of sight: what was typed there is not lost by a look at another tab.
  const isPersonal = !found && !tab;
  const wasPersonal = useRef(false);
  wasPersonal.current ||= isPersonal;

  return (
    <SettingsProvider value={settings}>
      <FormProvider {...settings.form}>
        <div className={styles.tools}>
          <TabList
            ref={tabs}
            className={styles.tabs}
            aria-label={t('title')}
            selectedValue={found ? '' : (tab ?? 'personal')}
            onTabSelect={(_event, { value }) => {
              setSearch('');
              setQuery({ tab: String(value) });
            }}
          >
            <Tab value="personal">{t('personalTab')}</Tab>
            {optionTabKeys.map((entry) => (
              <Tab key={entry} value={entry}>
                <span className={styles.tab}>
                  {t(`option:tab.${entry}`)}
                  {changesOf(entry) > 0 && (
                    <CounterBadge
                      size="small"
                      count={changesOf(entry)}
                      aria-label={t('changedCount', { count: changesOf(entry) })}
                    />
                  )}
                </span>
              </Tab>
            ))}
          </TabList>
          <SearchBox
            className={styles.search}
            aria-label={t('search')}
            placeholder={t('search')}
            value={search}
            maxLength={64}
            onChange={(_event, { value }) => setSearch(value)}
          />
        </div>
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
        {!found && tab && (
          <div className={styles.cards}>
            {optionTabs[tab].map((card) => (
              <SettingPanel key={card} card={card} />
            ))}
          </div>
        )}
        {wasPersonal.current && (
          <div hidden={!isPersonal}>
            <PersonalSlot />
          </div>
        )}
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
