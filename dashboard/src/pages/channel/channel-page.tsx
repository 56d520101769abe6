import { Button, makeStyles, tokens } from '@fluentui/react-components';
import { Add20Regular } from '@fluentui/react-icons/svg/add';
import { PlugConnected20Regular } from '@fluentui/react-icons/svg/plug-connected';
import { lazy, Suspense, useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate, useParams } from 'react-router-dom';
import type { Channel } from '../../../../core/schemas/channel.ts';
import type { ChannelCondition } from '../../../../core/schemas/overview.ts';
import {
  type ChannelFilters,
  type ChannelRow,
  isGroup,
  listChannels,
  readBalanceProgress,
  readTestProgress,
  startBalances,
  startTestAll,
  type TagGroup,
} from '../../api/channel.ts';
import { useGroupNames } from '../../api/group.ts';
import { useChannelConditions } from '../../api/overview.ts';
import { Deferred } from '../../components/deferred.tsx';
import { SelectFilter, SwitchFilter } from '../../components/list/filter.tsx';
import { ListPage } from '../../components/list/list-page.tsx';
import { SearchFilter } from '../../components/list/search-filter.tsx';
import { useList } from '../../components/list/use-list.ts';
import { StateMark } from '../../components/object/state-mark.tsx';
import { objectPath } from '../../state/object-path.ts';
import { channelTones } from '../overview/channel-state.tsx';
import { LatencyBadge, StatusBadge } from './channel-badge.tsx';
import { GroupStatus, GroupToggle, useChannelColumns } from './channel-column.tsx';
import { useTypeName } from './channel-type.ts';
import { BalanceBar, TestBar } from './run-bar.tsx';
import { useChannelBulk } from './use-channel-bulk.tsx';
import { useChannelRow } from './use-channel-row.tsx';
import { useRun } from './use-run.ts';

const ChannelMenu = lazy(() => import('./channel-menu.tsx').then((file) => ({ default: file.ChannelMenu })));
const ChannelEditor = lazy(() => import('./channel-editor.tsx').then((file) => ({ default: file.ChannelEditor })));
const TagEditor = lazy(() => import('./tag-editor.tsx').then((file) => ({ default: file.TagEditor })));
const SetTagDialog = lazy(() => import('./set-tag-dialog.tsx').then((file) => ({ default: file.SetTagDialog })));
const ModelTestDialog = lazy(() =>
  import('./model-test-dialog.tsx').then((file) => ({ default: file.ModelTestDialog })),
);
const KeyDialog = lazy(() => import('./channel-key-dialog.tsx').then((file) => ({ default: file.ChannelKeyDialog })));

type Open =
  | { panel: 'models' | 'key'; channel: Channel }
  | { panel: 'tag'; group: TagGroup }
  | { panel: 'set-tag'; channels: Channel[] };

const noFilters: ChannelFilters = { keyword: '', model: '', group: '', id_sort: '', tag_mode: '' };

const useStyles = makeStyles({
  actions: { display: 'flex', flexWrap: 'wrap', gap: tokens.spacingHorizontalS },
  card: { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: tokens.spacingHorizontalS },
});

/** Every upstream account: how it is doing, in which order it is called, and everything that can be done with it. */
export function ChannelPage() {
  const { t } = useTranslation('channel');
  const styles = useStyles();
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const editor = useEditorPlace();
  const list = useList<ChannelRow, ChannelFilters>({ name: 'channel', filters: noFilters, load: listChannels });
  const groups = useGroupNames().data ?? [];
  const tags = useOpenTags(list.rows);
  const isTagMode = list.filters.tag_mode === 'true';
  const { data: conditions } = useChannelConditions(idsOf(tags.rows));
  const columnOptions = useMemo(
    () => ({ isTagMode, isOpen: tags.isOpen, onToggle: tags.toggle, conditions }),
    [isTagMode, tags.isOpen, tags.toggle, conditions],
  );
  const columns = useChannelColumns(columnOptions);
  const tests = useRun({ name: 'test', read: readTestProgress, start: startTestAll });
  const balances = useRun({ name: 'balance', read: readBalanceProgress, start: startBalances });
  const { actionsOf } = useChannelRow({
    onEdit: (channel) => editor.open(channel.id),
    onEditTag: (group) => setOpen({ panel: 'tag', group }),
    onTestModels: (channel) => setOpen({ panel: 'models', channel }),
    onShowKey: (channel) => setOpen({ panel: 'key', channel }),
  });
  const bulkActions = useChannelBulk({ onSetTag: (channels) => setOpen({ panel: 'set-tag', channels }) });
  const addButton = (
    <Button appearance="primary" icon={<Add20Regular />} onClick={() => editor.open()}>
      {t('add')}
    </Button>
  );
  return (
    <>
      <ListPage
        title={t('title')}
        purpose={t('purpose')}
        sections={['monitoring']}
        action={
          <div className={styles.actions}>
            <Deferred>
              <ChannelMenu onTestAll={tests.start} onReadBalances={balances.start} />
            </Deferred>
            {addButton}
          </div>
        }
        notice={
          <>
            {tests.progress && <TestBar progress={tests.progress} onDismiss={tests.dismiss} />}
            {balances.progress && <BalanceBar progress={balances.progress} onDismiss={balances.dismiss} />}
          </>
        }
        list={list}
        rows={tags.rows}
        columns={columns}
        rowName={nameOf}
        rowActions={actionsOf}
        bulkActions={bulkActions}
        card={{
          to: (row) => (isGroup(row) ? undefined : objectPath.channel(row.id)),
          status: (row) =>
            isGroup(row) ? (
              <>
                <GroupStatus group={row} />
                <GroupToggle group={row} isOpen={tags.isOpen} onToggle={tags.toggle} />
              </>
            ) : (
              <StatusBadge channel={row} />
            ),
          figure: (row) => (isGroup(row) ? null : <CardFigure channel={row} condition={conditions?.get(row.id)} />),
        }}
        filters={
          <>
            <SearchFilter list={list} name="keyword" label={t('search.keyword')} />
            <SearchFilter list={list} name="model" label={t('search.model')} />
            <SelectFilter
              list={list}
              name="group"
              label={t('search.group')}
              choices={[
                { value: '', text: t('search.allGroups') },
                ...groups.map((name) => ({ value: name, text: name })),
              ]}
            />
            <SwitchFilter list={list} name="id_sort" label={t('search.idSort')} />
            <SwitchFilter list={list} name="tag_mode" label={t('search.tagMode')} />
          </>
        }
        empty={{ icon: <PlugConnected20Regular />, text: t('empty'), action: addButton }}
      />
      <Suspense fallback={null}>
        {editor.isOpen && <ChannelEditor key={editor.id ?? 'new'} id={editor.id} onClose={editor.close} />}
        {open?.panel === 'tag' && <TagEditor group={currentGroup(list.rows, open.group)} onClose={close} />}
        {open?.panel === 'set-tag' && <SetTagDialog channels={open.channels} onClose={close} />}
        {open?.panel === 'models' && <ModelTestDialog channel={open.channel} onClose={close} />}
        {open?.panel === 'key' && <KeyDialog channel={open.channel} onClose={close} />}
      </Suspense>
    </>
  );
}

/** Of the channels that are shown: those of a closed tag are not. */
const idsOf = (rows: ChannelRow[] = []) => rows.flatMap((row) => (isGroup(row) ? [] : [row.id]));

const nameOf = (row: ChannelRow) => (isGroup(row) ? row.tag : row.name);

/** As it was last read; as it was where it is not in the list any more. */
const currentGroup = (rows: ChannelRow[] = [], before: TagGroup) =>
  rows.filter(isGroup).find(({ tag }) => tag === before.tag) ?? before;

function CardFigure({ channel, condition }: { channel: Channel; condition: ChannelCondition | undefined }) {
  const { t } = useTranslation('channel');
  const styles = useStyles();
  const typeName = useTypeName();
  return (
    <div className={styles.card}>
      <span>#{channel.id}</span>
      <span>{typeName(channel.type)}</span>
      <LatencyBadge responseTime={channel.response_time} testTime={channel.test_time} />
      {condition && <StateMark tone={channelTones[condition.state]} word={t(`state.${condition.state}`)} />}
    </div>
  );
}

/** Which tags are open, and the rows that makes. */
function useOpenTags(rows: ChannelRow[] | undefined) {
  const [tags, setTags] = useState<ReadonlySet<string>>(new Set());
  return useMemo(() => {
    const isOpen = ({ tag }: TagGroup) => tags.has(tag);
    const toggle = ({ tag }: TagGroup) =>
      setTags((before) => new Set(before.has(tag) ? [...before].filter((one) => one !== tag) : [...before, tag]));
    return {
      isOpen,
      toggle,
      rows: rows?.flatMap((row) => (isGroup(row) && isOpen(row) ? [row, ...row.channels] : [row])),
    };
  }, [rows, tags]);
}

/** The form has an address of its own, `/channel/add` or `/channel/edit/7`; filters and page stay beside it. */
function useEditorPlace() {
  const navigate = useNavigate();
  const { pathname, search, key } = useLocation();
  const { id } = useParams();
  const [closedAt, setClosedAt] = useState<string>();
  const isForm = pathname !== '/channel';
  const isClosed = closedAt === key;
  // The form is gone before its address is: it has been asked already whether it may be left.
  useEffect(() => {
    if (isForm && isClosed) navigate({ pathname: '/channel', search });
  }, [isForm, isClosed, navigate, search]);
  return {
    isOpen: isForm && !isClosed,
    id: id === undefined ? undefined : Number(id),
    open: (wanted?: number) =>
      navigate({ pathname: wanted === undefined ? '/channel/add' : `/channel/edit/${wanted}`, search }),
    close: () => setClosedAt(key),
  };
}
