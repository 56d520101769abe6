import { Link, Text } from '@fluentui/react-components';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { type Log, logType } from '../../../../core/schemas/log.ts';
import type { Column } from '../../components/list/column.ts';
import { TextLink } from '../../components/text-link.tsx';
import { useFormat } from '../../state/format.ts';
import { objectPath } from '../../state/object-path.ts';
import { TimeBadges, TypeBadge } from './log-badge.tsx';
import { contentOf } from './log-record.ts';

interface LogColumnOptions {
  isAdmin: boolean;
  onUser: (userId: number) => void;
}

export function useLogColumns({ isAdmin, onUser }: LogColumnOptions): Column<Log>[] {
  const { t } = useTranslation('log');
  const format = useFormat();
  return useMemo(() => {
    const tokens = (log: Log, count: number) => (log.type === logType.consume ? format.number(count) : '');
    const forAdmins: Column<Log>[] = [
      {
        key: 'channel',
        title: t('field.channel'),
        grow: 0.9,
        minWidth: 76,
        isInteractive: true,
        cell: (log) =>
          log.channel > 0 && (
            <TextLink to={objectPath.channel(log.channel)}>
              <Cut text={`#${log.channel} ${log.channel_name}`.trim()} />
            </TextLink>
          ),
      },
      {
        key: 'username',
        title: t('field.username'),
        grow: 0.8,
        minWidth: 76,
        isInteractive: true,
        cell: (log) =>
          log.username && (
            <Link as="button" title={log.username} style={oneLine} onClick={() => onUser(log.user_id)}>
              {log.username}
            </Link>
          ),
      },
    ];
    const columns: Column<Log>[] = [
      { key: 'time', title: t('field.time'), grow: 0.3, minWidth: 142, cell: (log) => format.time(log.created_at) },
      ...(isAdmin ? forAdmins : []),
      { key: 'type', title: t('field.type'), grow: 0.2, minWidth: 88, cell: (log) => <TypeBadge log={log} /> },
      {
        key: 'token',
        title: t('field.token'),
        grow: 0.8,
        minWidth: 64,
        isInteractive: true,
        cell: (log) => <TokenName log={log} />,
      },
      {
        key: 'model',
        title: t('field.model'),
        grow: 2.2,
        minWidth: 110,
        isInteractive: true,
        canRunOn: (log) => log.model_name === '' || log.type === logType.error,
        cell: (log) =>
          log.model_name && log.type !== logType.error ? (
            <TextLink to={objectPath.model(log.model_name)}>
              <Cut text={log.model_name} isStrong />
            </TextLink>
          ) : (
            <Words text={[log.model_name, contentOf(log, format.quota)].filter(Boolean).join(' · ')} />
          ),
      },
      {
        key: 'duration',
        title: t('field.duration'),
        grow: 0.3,
        minWidth: 150,
        cell: (log) => <TimeBadges log={log} />,
      },
      {
        key: 'prompt',
        title: t('field.prompt'),
        grow: 0.6,
        minWidth: 52,
        isNumber: true,
        cell: (log) => tokens(log, log.prompt_tokens),
      },
      {
        key: 'completion',
        title: t('field.completion'),
        grow: 0.6,
        minWidth: 76,
        isNumber: true,
        cell: (log) => tokens(log, log.completion_tokens),
      },
      {
        key: 'quota',
        title: t('field.quota'),
        grow: 0.8,
        minWidth: 84,
        isNumber: true,
        cell: (log) =>
          log.type === logType.consume ? format.cost(log.quota) : log.quota !== 0 && format.quota(log.quota),
      },
      {
        key: 'group',
        title: t('field.group'),
        grow: 0.7,
        minWidth: 80,
        isHidden: true,
        cell: (log) => <Cut text={log.group} />,
      },
      {
        key: 'content',
        title: t('field.content'),
        grow: 2,
        minWidth: 160,
        isHidden: true,
        cell: (log) => <Cut text={contentOf(log, format.quota)} />,
      },
    ];
    return columns;
  }, [t, format, isAdmin, onUser]);
}

const oneLine = { minWidth: 0, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' } as const;

/** As far as the empty columns beside it reach. */
function Words({ text }: { text: string }) {
  return (
    <Text truncate wrap={false} block title={text} style={{ flexShrink: 0, maxWidth: '520px' }}>
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
