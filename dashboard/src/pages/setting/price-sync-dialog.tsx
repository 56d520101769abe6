import {
  Button,
  MessageBar,
  MessageBarBody,
  makeStyles,
  Spinner,
  Switch,
  Text,
  tokens,
} from '@fluentui/react-components';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { maxApplied, type PriceDiff, type PriceDiffRow } from '../../../../core/schemas/price-sync.ts';
import { rehearseRows } from '../../api/price-sync.ts';
import { LoadError } from '../../components/feedback/load-error.tsx';
import { PanelDialog } from '../../components/feedback/panel-dialog.tsx';
import { SearchInput } from '../../components/form/search-input.tsx';
import { PricePager, pageOf } from './price-pager.tsx';
import { PriceSyncSource } from './price-sync-source.tsx';
import { PriceSyncTable } from './price-sync-table.tsx';
import { RehearsalReportView } from './rehearsal-report.tsx';
import { type PriceSyncState, usePriceSync } from './use-price-sync.ts';

const useStyles = makeStyles({
  tools: { display: 'flex', flexWrap: 'wrap', gap: tokens.spacingHorizontalM, alignItems: 'center' },
  search: { width: '220px', maxWidth: '100%', '@media (max-width: 600px)': { width: '100%' } },
  note: { color: tokens.colorNeutralForeground3 },
  diff: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalM, minWidth: 0 },
  faults: { margin: 0, paddingLeft: tokens.spacingHorizontalL, maxHeight: '160px', overflowY: 'auto' },
});

/** Prices from a list: compared first, tried on past requests, and then applied. */
export function PriceSyncDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('setting');
  const styles = useStyles();
  const sync = usePriceSync(onClose);
  const { preview, diff, rows, apply } = sync;
  const [isRehearsing, setRehearsing] = useState(false);
  const count = rows.length;
  const canApply = count > 0 && count <= maxApplied && !apply.isPending && !preview.isPending;
  return (
    <PanelDialog
      title={t(isRehearsing ? 'sync.rehearsalTitle' : 'sync.title')}
      isWide
      isAlert
      onClose={onClose}
      actions={
        <>
          <Button onClick={isRehearsing ? () => setRehearsing(false) : onClose}>
            {t(isRehearsing ? 'sync.back' : 'shell:action.close')}
          </Button>
          {diff && !isRehearsing && (
            <Button disabledFocusable={!canApply} onClick={() => canApply && setRehearsing(true)}>
              {t('rehearsal.action')}
            </Button>
          )}
          {diff && (
            <Button appearance="primary" disabledFocusable={!canApply} onClick={() => canApply && apply.mutate()}>
              {t('sync.apply', { count })}
            </Button>
          )}
        </>
      }
    >
      {isRehearsing ? (
        <Rehearsal rows={rows} />
      ) : (
        <>
          <Text className={styles.note}>{t('sync.purpose')}</Text>
          <PriceSyncSource isBusy={preview.isPending} onCompare={(input) => preview.mutate(input)} />
          {preview.isPending && <Spinner label={t('sync.comparing')} />}
          {preview.error && !preview.isPending && (
            <MessageBar intent="error" layout="multiline">
              <MessageBarBody>{preview.error.message}</MessageBarBody>
            </MessageBar>
          )}
          {diff && !preview.isPending && <Diff diff={diff} sync={sync} />}
        </>
      )}
    </PanelDialog>
  );
}

function Diff({ diff, sync }: { diff: PriceDiff; sync: PriceSyncState }) {
  const { t } = useTranslation('setting');
  const styles = useStyles();
  const [search, setSearch] = useState('');
  const [isServedOnly, setServedOnly] = useState(false);
  const [wantedPage, setPage] = useState(1);
  const words = search.trim().toLowerCase();
  const hits = diff.rows.filter(
    ({ model, groups }) => model.toLowerCase().includes(words) && (groups.length > 0 || !isServedOnly),
  );
  const at = pageOf(hits, wantedPage);
  const areAllChosen = hits.length > 0 && hits.every(({ model }) => sync.chosen.has(model));
  return (
    <div className={styles.diff}>
      <Text role="status">{t('sync.found', { count: diff.total, same: diff.same, listed: diff.listed })}</Text>
      {diff.total > 0 && (
        <div className={styles.tools}>
          <SearchInput
            className={styles.search}
            aria-label={t('price.search')}
            placeholder={t('price.search')}
            value={search}
            onChange={(_event, { value }) => {
              setSearch(value);
              setPage(1);
            }}
          />
          <Switch
            label={t('sync.servedOnly')}
            checked={isServedOnly}
            onChange={(_event, { checked }) => {
              setServedOnly(checked);
              setPage(1);
            }}
          />
          <Button disabledFocusable={hits.length === 0} onClick={() => sync.choose(hits, !areAllChosen)}>
            {t(areAllChosen ? 'sync.chooseNone' : 'sync.chooseAll')}
          </Button>
        </div>
      )}
      <PriceSyncTable rows={at.shown} chosen={sync.chosen} onChoose={(row, isChosen) => sync.choose([row], isChosen)} />
      {hits.length > 0 && <PricePager at={at} onPage={setPage} />}
      {sync.rows.length > maxApplied && (
        <MessageBar intent="warning" layout="multiline">
          <MessageBarBody>{t('sync.tooMany', { count: maxApplied })}</MessageBarBody>
        </MessageBar>
      )}
      <Findings diff={diff} />
    </div>
  );
}

/** What the list does not have, and what of it cannot be used. */
function Findings({ diff: { missing, faults, fault_count } }: { diff: PriceDiff }) {
  const { t } = useTranslation('setting');
  const styles = useStyles();
  return (
    <>
      {missing.length > 0 && (
        <Text size={200} className={styles.note}>
          {t('sync.missing', { count: missing.length, models: missing.slice(0, 20).join(', ') })}
        </Text>
      )}
      {fault_count > 0 && (
        <MessageBar intent="warning" layout="multiline">
          <MessageBarBody>
            {t('sync.faults', { count: fault_count })}
            <ul className={styles.faults}>
              {faults.map(({ model, field, value, fault }) => (
                <li key={`${model} ${field}`}>{t(`sync.fault.${fault}`, { model, field, value })}</li>
              ))}
            </ul>
          </MessageBarBody>
        </MessageBar>
      )}
    </>
  );
}

const rehearsedDays = 7;

function Rehearsal({ rows }: { rows: PriceDiffRow[] }) {
  const { t } = useTranslation('setting');
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['rehearsal', 'sync', rows],
    queryFn: () => rehearseRows(rows, rehearsedDays),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  });
  if (isFetching) return <Spinner label={t('rehearsal.running')} />;
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />;
  return data ? <RehearsalReportView report={data} /> : null;
}
