import { Text } from '@fluentui/react-components';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Log } from '../../../../core/schemas/log.ts';
import { logType, signOf } from '../../../../core/schemas/log-type.ts';
import type { Column } from '../../components/list/column.ts';
import { TextLink } from '../../components/text-link.tsx';
import { useCompactNumber } from '../../state/compact-number.ts';
import { useFormat } from '../../state/format.ts';
import { useIsNarrow } from '../../state/media.ts';
import { objectPath } from '../../state/object-path.ts';
import { DurationBadge, FirstTokenBadge, TypeBadge, useDelivery } from './log-badge.tsx';
import { readRecord } from './log-record.ts';
import { LogState } from './log-state.tsx';

interface LogColumnOptions {
  isAdmin: boolean;
}

export function useLogColumns({ isAdmin }: LogColumnOptions): Column<Log>[] {
  const { t } = useTranslation('log');
  const format = useFormat();
  const compact = useCompactNumber();
  const momentOf = useMoment();
  const deliveryOf = useDelivery();
  const isNarrow = useIsNarrow();
  return useMemo(() => {
    const counts = ({ type, prompt_tokens: prompt, completion_tokens: completion }: Log) =>
      type === logType.consume && (
        <span title={t('tokens', { prompt: format.number(prompt), completion: format.number(completion) })}>
          {compact(prompt)} → {compact(completion)}
        </span>
      );
    const user: Column<Log> = {
      key: 'username',
      title: t('field.username'),
      grow: 12,
      minWidth: 62,
      isInteractive: true,
      cell: (log) =>
        log.username && (
          <span style={oneLine} title={log.username}>
            {log.user_id > 0 ? <TextLink to={objectPath.user(log.user_id)}>{log.username}</TextLink> : log.username}
          </span>
        ),
    };
    const channel: Column<Log> = {
      key: 'channel',
      title: t('field.channel'),
      grow: 12,
      minWidth: 66,
      isInteractive: true,
      cell: (log) =>
        log.channel > 0 && (
          <span style={oneLine} title={`#${log.channel} ${log.channel_name}`}>
            <TextLink to={objectPath.channel(log.channel)}>{log.channel_name || `#${log.channel}`}</TextLink>
          </span>
        ),
    };
    const columns: Column<Log>[] = [
      {
        key: 'status',
        title: t('field.status'),
        grow: 0,
        minWidth: isNarrow ? 98 : 130,
        cell: (log) => <LogState log={log} />,
      },
      {
        key: 'time',
        title: t('field.time'),
        grow: 0,
        minWidth: 88,
        cell: (log) => <span title={format.time(log.created_at)}>{momentOf(log.created_at)}</span>,
      },
      ...(isAdmin ? [user] : []),
      {
        key: 'token',
        title: t('field.token'),
        grow: 8,
        minWidth: 64,
        hiddenBelow: 1330,
        isInteractive: true,
        cell: (log) => <TokenName log={log} />,
      },
      {
        key: 'model',
        title: t('field.model'),
        grow: 40,
        minWidth: 78,
        name: (log) => log.model_name,
        canRunOn: (log) => log.model_name === '',
        line: (log) => hasReason(log) && <span title={log.content}>{log.content}</span>,
        isInteractive: true,
        cell: (log) =>
          log.model_name ? <ModelName log={log} /> : <Words text={log.content} maxWidth="min(560px, 36vw)" />,
      },
      ...(isAdmin ? [channel] : []),
      {
        key: 'tokens',
        title: t('field.tokens'),
        grow: 0.2,
        minWidth: isNarrow ? 84 : 92,
        cell: counts,
      },
      {
        key: 'first',
        title: t('field.first'),
        grow: 0,
        minWidth: 78,
        hiddenBelow: 1330,
        cell: (log) => <FirstTokenBadge log={log} />,
      },
      {
        key: 'duration',
        title: t('field.duration'),
        grow: 0,
        minWidth: isNarrow ? 60 : 68,
        cell: (log) => (
          <span title={deliveryOf(log)}>
            <DurationBadge log={log} />
          </span>
        ),
      },
      {
        key: 'quota',
        title: t('field.quota'),
        grow: 0.2,
        minWidth: 78,
        isNumber: true,
        isKept: true,
        cell: (log) => amountOf(log, format),
      },
      {
        key: 'type',
        title: t('field.type'),
        grow: 0.2,
        minWidth: 100,
        isHidden: true,
        cell: (log) => <TypeBadge log={log} />,
      },
      {
        key: 'group',
        title: t('field.group'),
        grow: 9,
        minWidth: 80,
        isHidden: true,
        cell: (log) => <Cut text={log.group} />,
      },
      {
        key: 'content',
        title: t('field.content'),
        grow: 26,
        minWidth: 160,
        isHidden: true,
        cell: (log) => <Cut text={log.content} />,
      },
    ];
    return columns;
  }, [t, format, compact, momentOf, deliveryOf, isNarrow, isAdmin]);
}

/** The clock of today, else the day; the title says both. */
function useMoment(): (seconds: number) => string {
  const { i18n } = useTranslation();
  return useMemo(() => {
    const language = i18n.language === 'en' ? 'en-GB' : 'zh-CN';
    const clock = new Intl.DateTimeFormat(language, {
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
    });
    const day = new Intl.DateTimeFormat(language, {
      // 03/11 is another day in every country.
      month: language === 'zh-CN' ? '2-digit' : 'short',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    });
    const year = new Intl.DateTimeFormat(language, {
      year: 'numeric',
      month: language === 'zh-CN' ? '2-digit' : 'short',
      day: '2-digit',
    });
    return (seconds) => {
      const time = new Date(seconds * 1000);
      // Not that of the day on which the page was opened.
      const now = new Date();
      if (time.toDateString() === now.toDateString()) return clock.format(time);
      return (time.getFullYear() === now.getFullYear() ? day : year).format(time);
    };
  }, [i18n.language]);
}

const oneLine = { minWidth: 0, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' } as const;

/** What a request cost, or what else was added or taken; nothing where no money moved. */
export function amountOf(log: Log, format: ReturnType<typeof useFormat>): string | undefined {
  if (log.type === logType.consume) return format.cost(log.quota);
  return log.quota === 0 ? undefined : signOf(log) + format.quota(log.quota);
}

/** Of a request that failed, where there is a column for the model it asked for. */
export const hasReason = (log: Log): boolean =>
  log.type === logType.error && log.model_name !== '' && log.content !== '';

/** What was asked for may be no model at all, which has no page. */
export const modelPathOf = (log: Log): string | undefined =>
  log.model_name === '' || readRecord(log).code === 'relay.unknownModel' ? undefined : objectPath.model(log.model_name);

function ModelName({ log }: { log: Log }) {
  const { model_name: name } = log;
  const path = modelPathOf(log);
  if (path === undefined) return <Cut text={name} isStrong />;
  return (
    <span style={oneLine} title={name}>
      <TextLink to={path}>{name}</TextLink>
    </span>
  );
}

/** As far as the empty columns beside it reach, on a window of any width. */
function Words({ text, maxWidth }: { text: string; maxWidth: string }) {
  return (
    <Text truncate wrap={false} block size={200} title={text} style={{ flexShrink: 0, maxWidth }}>
      {text}
    </Text>
  );
}

function TokenName({ log: { token_id: id, token_name: name } }: { log: Log }) {
  if (id === 0 || name === '') return <Cut text={name} />;
  return (
    <Text truncate wrap={false} block title={name}>
      <TextLink to={objectPath.token(id)}>{name}</TextLink>
    </Text>
  );
}

/** On one line; the whole text when it is pointed at. */
function Cut({ text, isStrong = false }: { text: string; isStrong?: boolean }) {
  return (
    <Text truncate wrap={false} block title={text} weight={isStrong ? 'semibold' : 'regular'}>
      {text}
    </Text>
  );
}
