import { Button, makeStyles, Spinner, Tab, TabList, Text, tokens } from '@fluentui/react-components';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { rehearsePrices } from '../../api/pricing.ts';
import { LoadError } from '../../components/feedback/load-error.tsx';
import { PanelDialog } from '../../components/feedback/panel-dialog.tsx';
import { RehearsalReportView } from './rehearsal-report.tsx';
import { changedPrices } from './use-price-effect.ts';
import { useSettings } from './use-settings.ts';

const useStyles = makeStyles({
  // Its first word begins where the words above it do.
  tabs: { marginLeft: '-8px' },
  note: { color: tokens.colorNeutralForeground3 },
});

const periods = [7, 30] as const;

/** Before prices are saved: what the requests of the last days would have cost at them. */
export function RehearsalDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('setting');
  const styles = useStyles();
  const { form } = useSettings();
  const [options] = useState(() => changedPrices(form));
  const [days, setDays] = useState<number>(7);
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['rehearsal', options, days],
    queryFn: ({ signal }) => rehearsePrices(options, days, signal),
    // The log grows, and the server works at it for a while: asked again only by hand.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  });
  const isUnchanged = Object.keys(options).length === 0;
  return (
    <PanelDialog
      title={t('rehearsal.title')}
      isWide
      actions={<Button onClick={onClose}>{t('shell:action.close')}</Button>}
      onClose={onClose}
    >
      <Text className={styles.note}>{t(isUnchanged ? 'rehearsal.unchanged' : 'rehearsal.purpose')}</Text>
      <TabList
        size="small"
        className={styles.tabs}
        aria-label={t('rehearsal.period')}
        selectedValue={days}
        // One at a time: the server would refuse the second.
        disabled={isFetching}
        onTabSelect={(_event, { value }) => setDays(Number(value))}
      >
        {periods.map((period) => (
          <Tab key={period} value={period}>
            {t('rehearsal.days', { count: period })}
          </Tab>
        ))}
      </TabList>
      {isFetching && <Spinner label={t('rehearsal.running')} />}
      {!isFetching && error && <LoadError error={error} onRetry={() => void refetch()} />}
      {!isFetching && data && <RehearsalReportView report={data} />}
    </PanelDialog>
  );
}
