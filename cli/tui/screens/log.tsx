import { useState } from 'react';
import type { Log } from '../../../core/schemas/log.ts';
import { logType, signOf } from '../../../core/schemas/log-type.ts';
import { attemptsOf, failureOf, tookText } from '../../print/log-record.ts';
import { type ListAction, type ListColumn, ListScreen } from '../components/list-screen.tsx';
import { type Environment, useEnvironment } from '../environment.ts';
import { grouped } from '../grouped.ts';
import { useNavigation } from '../hooks/use-navigation.tsx';
import { useCost, useQuota } from '../hooks/use-quota.ts';
import { momentText } from '../moment-text.ts';
import { ClearForm } from './log/clear-form.tsx';
import { LogDetails, logDetails } from './log/details.tsx';
import { type LogScope, logFilters } from './log/read-logs.ts';
import { typeText } from './log/type-text.ts';
import { useLogPages } from './log/use-log-pages.ts';

const followMs = 2000;

const everything: LogScope = { trail: [] };

/** Calls as they come, until one stops to look at them; of one user, token or channel where that was opened. */
export function LogScreen({ scope = everything }: { scope?: LogScope }) {
  const environment = useEnvironment();
  const { speak, symbols } = environment;
  const quota = useQuota();
  const cost = useCost();
  const { push } = useNavigation();
  const [isFollowing, setFollowing] = useState(true);
  const load = useLogPages(scope);

  const actions: ListAction<Log>[] = [
    {
      key: ' ',
      label: speak(isFollowing ? 'tui.log.pause' : 'tui.log.follow'),
      start: () => setFollowing(!isFollowing),
    },
    { key: 'c', label: speak('tui.log.clearFilter'), start: (list) => list.clearFilter() },
    { key: 'x', label: speak('tui.log.clear'), start: ({ reload }) => push(<ClearForm onCleared={reload} />) },
  ];

  return (
    <ListScreen
      title={speak(scope === everything ? 'tui.logs' : 'tui.requests')}
      trail={scope.trail}
      columns={columnsFor(environment, { quota, cost })}
      load={load}
      idOf={({ id }) => id}
      filters={logFilters}
      detail={(log) => detailOf(log, environment)}
      beside={(log) => logDetails(log, environment, { quota, cost })}
      details={({ id }) => <LogDetails id={id} />}
      actions={actions}
      hasMarks={false}
      everyMs={isFollowing ? followMs : 0}
      isFollowing={isFollowing}
      aside={
        isFollowing ? speak('tui.log.following', { sign: symbols.on }) : speak('tui.log.paused', { sign: symbols.off })
      }
      empty={speak('tui.log.empty')}
    />
  );
}

interface Prices {
  quota(units: number): string;
  cost(units: number): string;
}

function columnsFor(environment: Environment, { quota, cost }: Prices): ListColumn<Log>[] {
  const { speak } = environment;
  const isCall = ({ type }: Log) => type === logType.consume;
  const isFailed = ({ type }: Log) => type === logType.error;
  return [
    {
      title: speak('tui.log.time'),
      whole: true,
      value: ({ created_at }) => momentText(created_at),
    },
    { title: speak('tui.log.user'), value: ({ username }) => username },
    {
      title: speak('tui.log.what'),
      value: (log) => (isCall(log) ? log.model_name : noteText(log, environment)),
      color: (log) => (isCall(log) ? undefined : isFailed(log) ? 'red' : 'dim'),
    },
    { title: speak('tui.log.channel'), value: (log) => channelText(log, environment) },
    {
      title: speak('tui.log.took'),
      right: true,
      value: (log) => (isCall(log) || isFailed(log) ? tookText(log) : ''),
    },
    {
      title: speak('tui.log.tokens'),
      right: true,
      extra: true,
      value: (log) => (isCall(log) ? grouped(`${log.prompt_tokens}/${log.completion_tokens}`) : ''),
    },
    {
      title: speak('tui.log.cost'),
      right: true,
      value: (log) => {
        if (isCall(log)) return cost(log.quota);
        return log.quota === 0 ? '' : signOf(log) + quota(log.quota);
      },
    },
    { title: speak('tui.log.token'), extra: true, value: ({ token_name }) => token_name },
    { title: speak('tui.log.group'), extra: true, value: ({ group }) => group },
    { title: speak('tui.log.id'), extra: true, right: true, value: ({ id }) => id },
  ];
}

/** The one that served; before it those that failed. */
function channelText(log: Log, { symbols }: Environment): string {
  const tried = attemptsOf(log);
  const name = log.channel_name || (log.channel > 0 ? `#${log.channel}` : '');
  const failed = tried
    .slice(0, -1)
    .map(({ channel, name, outcome }) => `${name || `#${channel}`} ${symbols.bad} ${outcome}`);
  return [...failed, name].filter(Boolean).join(` ${symbols.arrow} `);
}

/** A row that is not a call has no model: what it tells is in that place. */
function noteText(log: Log, environment: Environment): string {
  const content = [log.model_name, log.content].filter(Boolean).join(': ');
  return environment.speak('tui.log.note', { type: failureOf(log)?.status ?? typeText(log, environment), content });
}

function detailOf(log: Log, environment: Environment): string {
  const { id, group, token_name: token } = log;
  const [prompt, completion] = [grouped(log.prompt_tokens), grouped(log.completion_tokens)];
  if (log.type !== logType.consume) return ` ${id}: ${noteText(log, environment)}`;
  return ` ${environment.speak('tui.log.summary', { id, prompt, completion, group, token })}`;
}
