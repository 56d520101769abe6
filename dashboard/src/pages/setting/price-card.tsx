import { Button, makeStyles, Tab, TabList, tokens } from '@fluentui/react-components';
import { ArrowReset20Regular } from '@fluentui/react-icons/svg/arrow-reset';
import { ArrowSync20Regular } from '@fluentui/react-icons/svg/arrow-sync';
import { Calculator20Regular } from '@fluentui/react-icons/svg/calculator';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { OptionCard } from '../../../../core/schemas/option/card.ts';
import { optionsOfCard } from '../../../../core/schemas/option.ts';
import { resetModelRatio } from '../../api/setting.ts';
import { useConfirm } from '../../components/feedback/confirm.tsx';
import { useNotify } from '../../components/feedback/notify.tsx';
import { lazyTab } from '../../components/object/lazy-tab.ts';
import { DollarEditor } from './dollar-editor.tsx';
import { PriceEditor } from './price-editor.tsx';
import { SettingCard } from './setting-card.tsx';
import { SettingField } from './setting-field.tsx';
import { useSettings } from './use-settings.ts';

const RehearsalDialog = lazy(() =>
  import('./rehearsal-dialog.tsx').then((file) => ({ default: file.RehearsalDialog })),
);

const PriceSyncDialog = lazyTab(['model'], async () => (await import('./price-sync-dialog.tsx')).PriceSyncDialog);
const PriceHistory = lazyTab(['model'], async () => (await import('../model/price-history.tsx')).PriceHistory);

const useStyles = makeStyles({
  content: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalL, minWidth: 0 },
  head: { display: 'flex', flexWrap: 'wrap', justifyContent: 'space-between', gap: tokens.spacingHorizontalS },
  // Its first word begins where the words above it do.
  tabs: { marginLeft: '-8px' },
  actions: { display: 'flex', flexWrap: 'wrap', gap: tokens.spacingHorizontalS },
});

/** Model prices: in dollars, as ratios, as the JSON they are stored as; what they would have cost, and the way back to the built-in ratios. */
export function PriceCard({ card }: { card: OptionCard }) {
  const { t } = useTranslation('setting');
  const styles = useStyles();
  const notify = useNotify();
  const confirm = useConfirm();
  const { reload } = useSettings();
  const [isRehearsing, setRehearsing] = useState(false);
  const [isSyncing, setSyncing] = useState(false);
  const [mode, setMode] = useState('dollars');

  async function reset(): Promise<void> {
    const isSure = await confirm({
      title: t('price.reset'),
      text: t('price.resetText'),
      action: t('price.reset'),
      word: t('price.resetWord'),
      isDangerous: true,
    });
    if (!isSure) return;
    try {
      await resetModelRatio();
      notify.success(t('price.resetDone'));
      await reload(['ModelRatio']);
    } catch (error) {
      notify.error(error);
    }
  }

  return (
    <SettingCard card={card}>
      <div className={styles.content}>
        <div className={styles.head}>
          <TabList
            size="small"
            className={styles.tabs}
            aria-label={t('entry.mode')}
            selectedValue={mode}
            onTabSelect={(_event, { value }) => setMode(String(value))}
          >
            <Tab value="dollars">{t('price.dollars')}</Tab>
            <Tab value="rows">{t('price.visual')}</Tab>
            <Tab value="json">{t('entry.json')}</Tab>
            <Tab value="history">{t('price.history')}</Tab>
          </TabList>
          <span className={styles.actions}>
            <Button icon={<ArrowSync20Regular />} onClick={() => setSyncing(true)}>
              {t('sync.action')}
            </Button>
            <Button icon={<Calculator20Regular />} onClick={() => setRehearsing(true)}>
              {t('rehearsal.action')}
            </Button>
            <Button icon={<ArrowReset20Regular />} onClick={() => void reset()}>
              {t('price.reset')}
            </Button>
          </span>
        </div>
        {mode === 'dollars' && <DollarEditor />}
        {mode === 'rows' && <PriceEditor />}
        {mode === 'json' && optionsOfCard(card).map((option) => <SettingField key={option} option={option} />)}
        {mode === 'history' && (
          <Suspense fallback={null}>
            <PriceHistory />
          </Suspense>
        )}
        {isSyncing && (
          <Suspense fallback={null}>
            <PriceSyncDialog onClose={() => setSyncing(false)} />
          </Suspense>
        )}
        {isRehearsing && (
          <Suspense fallback={null}>
            <RehearsalDialog onClose={() => setRehearsing(false)} />
          </Suspense>
        )}
      </div>
    </SettingCard>
  );
}
