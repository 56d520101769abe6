import { Button, makeStyles, ProgressBar, Text, tokens } from '@fluentui/react-components';
import { ArrowDownload20Regular } from '@fluentui/react-icons/svg/arrow-download';
import { TextBulletList20Regular } from '@fluentui/react-icons/svg/text-bullet-list';
import { Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Log } from '../../../../core/schemas/log.ts';
import { logType } from '../../../../core/schemas/log-type.ts';
import { maxCounted } from '../../../../core/schemas/page-size.ts';
import { downloadLogs, type LogFilters, listLogs, useLiveLogs } from '../../api/log.ts';
import { useNotify } from '../../components/feedback/notify.tsx';
import { lazyPart } from '../../components/lazy-part.tsx';
import { SelectFilter, SwitchFilter } from '../../components/list/filter.tsx';
import { ListPage } from '../../components/list/list-page.tsx';
import { MoreFilters } from '../../components/list/more-filters.tsx';
import { RangeFilter } from '../../components/list/range-filter.tsx';
import { SearchFilter } from '../../components/list/search-filter.tsx';
import { type List, useList } from '../../components/list/use-list.ts';
import { useFirstScreenIsOver } from '../../state/first-screen.ts';
import { useFormat } from '../../state/format.ts';
import { isAdmin, sessionUser } from '../../state/session.ts';
import { DurationBadge } from './log-badge.tsx';
import { LogChips } from './log-chips.tsx';
import { amountOf, hasReason, modelPathOf, useLogColumns } from './log-columns.tsx';
import { LogSearch } from './log-search.tsx';
import { LogStatBadges } from './log-stat.tsx';
import { LogState } from './log-state.tsx';
import { GroupFilter, ObjectFilter } from './object-filter.tsx';

const LogReceipt = lazyPart(async () => (await import('./log-receipt.tsx')).LogReceipt);

/** Three days are what people look at; any other range is one choice away. */
const noFilters: LogFilters = {
  type: '',
  token_name: '',
  model_name: '',
  group: '',
  username: '',
  channel: '',
  request_id: '',
  cut: '',
  min_seconds: '',
  min_quota: '',
  range: 'three',
  start: '',
  end: '',
  live: '',
};

/** What was called, by whom, and what it cost: each row opens to its bill. `fixed` makes it the list of one object, within its page. */
export function LogPage({ fixed }: { fixed?: Partial<LogFilters> }) {
  const { t } = useTranslation('log');
  useReceiptAhead();
  const admin = isAdmin(sessionUser.use());
  const filters = { name: 'log', filters: noFilters, ...(fixed && { fixed }) };
  const list = useWithLiveRows(useList({ ...filters, load: listLogs, rowsPerPage: 50 }));
  const all = useLogColumns({ isAdmin: admin });
  const columns = all.filter(({ key }) => fixed?.[fixedBy[key] as keyof LogFilters] === undefined);
  return (
    <ListPage
      title={t('title')}
      purpose={t(admin ? 'purposeAdmin' : 'purpose')}
      sections={['log']}
      action={<DownloadButton filters={list.filters} />}
      notice={<LogStatBadges filters={list.filters} />}
      list={list}
      columns={columns}
      rowName={(log) => log.model_name || log.content || `#${log.id}`}
      rowDetail={receiptOf}
      isOpenAtFirst={isFound(list)}
      isDense
      isPart={fixed !== undefined}
      card={{ to: modelPathOf, status: (log) => <LogState log={log} />, figure: (log) => <CardFigures log={log} /> }}
      filters={<LogFilterRow list={list} isAdmin={admin} fixed={fixed ?? {}} />}
      empty={{
        icon: <TextBulletList20Regular />,
        text: t('empty'),
        action: <Button onClick={() => list.setFilters({ range: 'all' })}>{t('showAll')}</Button>,
      }}
    />
  );
}

/** Columns that say the same in every row where the list is narrowed to one object. */
const fixedBy: Record<string, keyof LogFilters> = {
  channel: 'channel',
  username: 'username',
  token: 'token_name',
  model: 'model_name',
};

/** The rows are those of the request searched for, no longer what was there before. */
const isFound = ({ rows = [], filters: { request_id: id } }: List<Log, LogFilters>) =>
  id !== '' && rows.every((log) => log.request_id?.includes(id));

const receiptOf = (log: Log) => (
  <Suspense fallback={<ProgressBar />}>
    <LogReceipt log={log} />
  </Suspense>
);

/** Fetched once the rows are there to be read, so that a row opens at once. */
function useReceiptAhead(): void {
  const isOver = useFirstScreenIsOver();
  useEffect(() => {
    if (isOver) void LogReceipt.fetchPart().catch(() => {});
  }, [isOver]);
}

/** While the switch is on, the newest rows are in place of a page. */
function useWithLiveRows(list: List<Log, LogFilters>): List<Log, LogFilters> {
  const isLive = list.filters.live === 'true';
  const { data, error, refetch } = useLiveLogs(list.filters, isLive);
  if (!isLive) return withinPages(list);
  const rows = data ?? list.rows;
  return {
    ...list,
    rows,
    error,
    page: 1,
    total: rows?.length,
    hasNext: false,
    isReloading: false,
    refresh: () => void refetch(),
  };
}

/** The server turns pages up to its last counted row. */
function withinPages(list: List<Log, LogFilters>): List<Log, LogFilters> {
  const { total = 0, page, pageSize, hasNext } = list;
  if (total < maxCounted) return list;
  return { ...list, total: maxCounted, isCapped: true, hasNext: hasNext && page * pageSize < maxCounted };
}

interface LogFilterRowProps {
  list: List<Log, LogFilters>;
  isAdmin: boolean;
  fixed: Partial<LogFilters>;
}

function LogFilterRow({ list, isAdmin: admin, fixed }: LogFilterRowProps) {
  const { t } = useTranslation('log');
  const types = Object.values(logType).map((type) => ({ value: String(type), text: t(`type.${type}`) }));
  return (
    <>
      <LogSearch list={list} />
      <LogChips list={list} />
      <RangeFilter list={list} />
      <SelectFilter
        list={list}
        name="type"
        label={t('field.type')}
        choices={[{ value: '', text: t('type.all') }, ...types]}
      />
      {/* Before fields that take the rest of their line: a switch would come to stand alone on one of its own. */}
      <SwitchFilter list={list} name="live" label={t('filter.live')} />
      <MoreFilters>
        {admin && !fixed.username && (
          <ObjectFilter list={list} name="username" kind="user" label={t('filter.username')} />
        )}
        {!fixed.token_name && <ObjectFilter list={list} name="token_name" kind="token" label={t('filter.token')} />}
        {!fixed.model_name && <ObjectFilter list={list} name="model_name" kind="model" label={t('filter.model')} />}
        {admin && !fixed.channel && (
          <ObjectFilter list={list} name="channel" kind="channel" label={t('filter.channel')} />
        )}
        {admin ? (
          <GroupFilter list={list} name="group" label={t('filter.group')} />
        ) : (
          <SearchFilter list={list} name="group" label={t('filter.group')} />
        )}
      </MoreFilters>
    </>
  );
}

function DownloadButton({ filters }: { filters: LogFilters }) {
  const { t } = useTranslation('log');
  const notify = useNotify();
  const [isBusy, setBusy] = useState(false);

  async function download(): Promise<void> {
    setBusy(true);
    await downloadLogs(filters).catch(notify.error);
    setBusy(false);
  }

  return (
    <Button icon={<ArrowDownload20Regular />} disabledFocusable={isBusy} onClick={() => void download()}>
      {t('download')}
    </Button>
  );
}

const useStyles = makeStyles({
  card: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalXS },
  figures: { display: 'flex', alignItems: 'center', gap: tokens.spacingHorizontalS },
});

function CardFigures({ log }: { log: Log }) {
  const styles = useStyles();
  const format = useFormat();
  return (
    <div className={styles.card}>
      <Text size={200}>{[format.time(log.created_at), log.username, log.token_name].filter(Boolean).join(' · ')}</Text>
      {hasReason(log) && <Text size={200}>{log.content}</Text>}
      <span className={styles.figures}>
        <Text weight="semibold">{amountOf(log, format)}</Text>
        <DurationBadge log={log} />
      </span>
    </div>
  );
}
