import { Badge, Button, makeStyles, Text, tokens } from '@fluentui/react-components';
import { ChevronDown20Regular } from '@fluentui/react-icons/svg/chevron-down';
import { ChevronRight20Regular } from '@fluentui/react-icons/svg/chevron-right';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Channel } from '../../../../core/schemas/channel.ts';
import { channelStatus } from '../../../../core/schemas/channel-status.ts';
import type { ChannelCondition } from '../../../../core/schemas/overview.ts';
import { type ChannelRow, isGroup, type TagGroup } from '../../api/channel.ts';
import type { Column } from '../../components/list/column.ts';
import { useFormat } from '../../state/format.ts';
import { useRelativeTime } from '../../state/relative-time.ts';
import { LatencyBadge, StatusBadge } from './channel-badge.tsx';
import { ChannelName, Clipped, Groups, Models } from './channel-cell.tsx';
import { useTypeName } from './channel-type.ts';
import { ConditionCell, RequestsCell } from './condition-cell.tsx';
import { RankingCell } from './ranking-cell.tsx';

interface ColumnOptions {
  isTagMode: boolean;
  isOpen: (group: TagGroup) => boolean;
  onToggle: (group: TagGroup) => void;
  conditions: ReadonlyMap<number, ChannelCondition> | undefined;
}

const useStyles = makeStyles({
  name: { display: 'flex', alignItems: 'center', gap: tokens.spacingHorizontalXS, minWidth: 0, width: '100%' },
  money: { display: 'flex', flexDirection: 'column', alignItems: 'flex-end', lineHeight: tokens.lineHeightBase200 },
  quiet: { color: tokens.colorNeutralForeground3 },
  // On a second line its words would leave it.
  badge: { whiteSpace: 'nowrap' },
});

export function useChannelColumns(options: ColumnOptions): Column<ChannelRow>[] {
  const { isTagMode, conditions } = options;
  const { t } = useTranslation('channel');
  const format = useFormat();
  const typeName = useTypeName();
  const relative = useRelativeTime();
  return useMemo(() => {
    const all = (row: ChannelRow) => (isGroup(row) ? row.channels : [row]);
    const sum = (row: ChannelRow, read: (channel: Channel) => number) =>
      all(row).reduce((total, channel) => total + read(channel), 0);
    const columns: Column<ChannelRow>[] = [
      {
        key: 'id',
        hiddenBelow: 1440,
        sort: 'id',
        title: t('field.id'),
        grow: 0.4,
        minWidth: 32,
        cell: (row) => (isGroup(row) ? '' : row.id),
      },
      {
        key: 'name',
        sort: 'name',
        title: t('field.name'),
        grow: 3,
        minWidth: 112,
        isInteractive: true,
        cell: (row) =>
          isGroup(row) ? (
            <GroupName group={row} {...options} />
          ) : (
            <ChannelName channel={row} isInside={isTagMode && Boolean(row.tag)} />
          ),
      },
      {
        key: 'type',
        hiddenBelow: 1440,
        sort: 'type',
        title: t('field.type'),
        grow: 1.2,
        minWidth: 88,
        cell: (row) => (isGroup(row) ? '' : typeName(row.type)),
      },
      {
        key: 'status',
        sort: 'status',
        title: t('field.status'),
        minWidth: 96,
        isInteractive: true,
        cell: (row) => (isGroup(row) ? <GroupStatus group={row} /> : <StatusBadge channel={row} />),
      },
      {
        key: 'condition',
        title: t('field.condition'),
        minWidth: 90,
        isInteractive: true,
        cell: (row) => !isGroup(row) && <ConditionCell condition={conditions?.get(row.id)} />,
      },
      {
        key: 'requests',
        title: t('field.requests'),
        grow: 0.8,
        minWidth: 84,
        isHidden: true,
        cell: (row) => !isGroup(row) && <RequestsCell condition={conditions?.get(row.id)} />,
      },
      {
        key: 'used',
        title: t('field.lastUsed'),
        minWidth: 96,
        isHidden: true,
        cell: (row) => !isGroup(row) && relative(conditions?.get(row.id)?.last_used ?? 0),
      },
      {
        key: 'error',
        title: t('field.lastError'),
        grow: 2,
        minWidth: 160,
        isHidden: true,
        cell: (row) => !isGroup(row) && <Clipped text={conditions?.get(row.id)?.last_error ?? ''} />,
      },
      {
        key: 'models',
        title: t('field.models'),
        grow: 1.4,
        minWidth: 94,
        cell: (row) => <Models channels={all(row)} />,
      },
      {
        key: 'latency',
        hiddenBelow: 1200,
        sort: 'response_time',
        title: t('field.latency'),
        grow: 0.8,
        minWidth: 64,
        cell: (row) => <LatencyBadge responseTime={meanTime(all(row))} testTime={lastTest(all(row))} />,
      },
      {
        key: 'money',
        sort: 'used_quota',
        title: t('field.money'),
        grow: 1.3,
        minWidth: 74,
        isNumber: true,
        cell: (row) => (
          <Money
            used={format.quota(sum(row, (channel) => channel.used_quota))}
            balance={
              all(row).some((one) => one.balance_updated_time > 0)
                ? format.dollars(sum(row, (one) => one.balance))
                : undefined
            }
          />
        ),
      },
      {
        key: 'priority',
        hiddenBelow: 1200,
        sort: 'priority',
        title: t('field.priority'),
        grow: 0,
        minWidth: 72,
        isNumber: true,
        isInteractive: true,
        cell: (row) => <RankingCell row={row} name="priority" />,
      },
      {
        key: 'weight',
        hiddenBelow: 1330,
        sort: 'weight',
        title: t('field.weight'),
        grow: 0,
        minWidth: 72,
        isNumber: true,
        isInteractive: true,
        cell: (row) => <RankingCell row={row} name="weight" />,
      },
      { key: 'tag', sort: 'tag', title: t('field.tag'), minWidth: 90, isHidden: true, cell: (row) => row.tag ?? '' },
      {
        key: 'group',
        title: t('field.group'),
        minWidth: 78,
        isHidden: true,
        isInteractive: true,
        cell: (row) => <Groups channels={all(row)} />,
      },
      {
        key: 'tested',
        sort: 'test_time',
        title: t('field.tested'),
        grow: 1.3,
        minWidth: 150,
        isHidden: true,
        cell: (row) => (isGroup(row) ? '' : format.time(row.test_time)),
      },
      {
        key: 'created',
        sort: 'created_time',
        title: t('field.created'),
        grow: 1.3,
        minWidth: 150,
        isHidden: true,
        cell: (row) => (isGroup(row) ? '' : format.time(row.created_time)),
      },
    ];
    // Tags are in the order of their names.
    return isTagMode ? columns.map(({ sort: _sort, ...column }) => column) : columns;
  }, [t, format, typeName, relative, conditions, isTagMode, options]);
}

/** What went through, and what is left at the provider. */
function Money({ used, balance }: { used: string; balance: string | undefined }) {
  const styles = useStyles();
  return (
    <div className={styles.money}>
      <span>{used}</span>
      {balance !== undefined && (
        <Text size={200} className={styles.quiet}>
          {balance}
        </Text>
      )}
    </div>
  );
}

/** 0 while none of them was tested. */
const lastTest = (channels: Channel[]): number => Math.max(...channels.map(({ test_time: time }) => time));

/** Of the channels that passed their last test. */
function meanTime(channels: Channel[]): number {
  const times = channels.map(({ response_time: time }) => time).filter((time) => time > 0);
  return times.length === 0 ? 0 : times.reduce((total, time) => total + time, 0) / times.length;
}

function GroupName({ group, isOpen, onToggle }: { group: TagGroup } & ColumnOptions) {
  const styles = useStyles();
  return (
    <div className={styles.name}>
      <GroupToggle {...{ group, isOpen, onToggle }} />
      <Clipped text={group.tag} />
    </div>
  );
}

type GroupToggleProps = { group: TagGroup } & Pick<ColumnOptions, 'isOpen' | 'onToggle'>;

export function GroupToggle({ group, isOpen, onToggle }: GroupToggleProps) {
  const { t } = useTranslation('channel');
  const isShown = isOpen(group);
  return (
    <Button
      size="small"
      appearance="subtle"
      icon={isShown ? <ChevronDown20Regular /> : <ChevronRight20Regular />}
      aria-expanded={isShown}
      aria-label={t('tag.open', { tag: group.tag })}
      onClick={(event) => {
        event.stopPropagation(); // does not mark the row
        onToggle(group);
      }}
    />
  );
}

export function GroupStatus({ group }: { group: TagGroup }) {
  const { t } = useTranslation('channel');
  const styles = useStyles();
  const total = group.channels.length;
  const on = group.channels.filter(({ status }) => status === channelStatus.enabled).length;
  return (
    <Badge
      appearance="tint"
      className={styles.badge}
      // As with one channel: that they may be used, not that they work.
      color={on === total ? 'informative' : on === 0 ? 'danger' : 'warning'}
    >
      {t('tag.on', { on, total })}
    </Badge>
  );
}
