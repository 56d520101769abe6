import { useRef, useState } from 'react';
import { nowSeconds, secondsPerDay } from '../../../core/lib/clock.ts';
import { systemActor } from '../../../core/schemas/actor.ts';
import type { Page } from '../../../core/schemas/paging.ts';
import {
  type UsageSubject,
  type UsageSum,
  usageReportSchema,
  usageSubjects,
} from '../../../core/schemas/usage-report.ts';
import { formatTime, parseTime } from '../../flag/value.ts';
import type { Sentence } from '../../text.ts';
import { type ListColumn, type ListRequest, ListScreen } from '../components/list-screen.tsx';
import { type Environment, useEnvironment } from '../environment.ts';
import { useNavigation } from '../hooks/use-navigation.tsx';
import { useQuota } from '../hooks/use-quota.ts';
import type { LogScope } from './log/read-logs.ts';
import { LogScreen } from './log.tsx';

interface UsageScreenProps {
  /** Only what this user spent, with what was opened to come here. */
  owner?: { id: number; name: string };
  trail?: readonly string[];
}

const defaultDays = 30;
const titles: Record<UsageSubject, Sentence> = {
  model: 'tui.usage.model',
  user: 'tui.usage.user',
  channel: 'tui.usage.channel',
  day: 'tui.usage.day',
};

/** What was used, by model, user, channel or day. */
export function UsageScreen({ owner, trail = [] }: UsageScreenProps) {
  const environment = useEnvironment();
  const { speak, symbols } = environment;
  const { push } = useNavigation();
  const quota = useQuota();
  const [by, setBy] = useState<UsageSubject>(owner ? 'day' : 'model');
  const totals = useRef('');
  const next = usageSubjects[(usageSubjects.indexOf(by) + 1) % usageSubjects.length] ?? 'model';

  async function load(request: ListRequest): Promise<Page<UsageSum>> {
    const input = await readInput(request, by, owner?.name, environment);
    const all = await environment.app.services.usageReport(systemActor, input);
    totals.current = totalText(all, input, environment, quota);
    const found = all.filter(({ name }) => name.toLowerCase().includes(request.keyword.toLowerCase()));
    const { page, page_size } = request;
    return { items: found.slice((page - 1) * page_size, page * page_size), page, page_size, total: found.length };
  }

  const open = ({ name, id }: UsageSum) => {
    const scope = scopeOf({ by, name, id }, owner?.id);
    const path = [
      ...(trail.length > 0 ? trail : [speak('tui.usage')]),
      by === 'channel' && name === '' ? `#${id}` : name,
    ];
    if (scope) push(<LogScreen scope={{ ...scope, trail: path }} />);
  };
  return (
    <ListScreen
      key={by}
      title={`${speak('tui.usage')} ${symbols.dot} ${speak(titles[by])}`}
      trail={trail}
      columns={columnsFor(by, environment, quota)}
      load={load}
      idOf={({ name, id }) => `${id} ${name}`}
      filters={owner ? ['since', 'until'] : ['user', 'since', 'until']}
      detail={() => ` ${totals.current}`}
      {...(by !== 'day' && { onOpen: open })}
      actions={[{ key: 'b', label: speak('tui.usage.by', { what: speak(titles[next]) }), start: () => setBy(next) }]}
      hasMarks={false}
      empty={speak('tui.usage.empty')}
    />
  );
}

async function readInput({ values }: ListRequest, by: UsageSubject, owner: string | undefined, { app }: Environment) {
  const now = nowSeconds();
  const { user, since, until } = values;
  return usageReportSchema.parse({
    by,
    username: owner ?? (user === undefined ? '' : (await app.services.users.find(systemActor, user)).username),
    start_timestamp: since === undefined ? now - defaultDays * secondsPerDay : parseTime(since, now),
    end_timestamp: until === undefined ? now : parseTime(until, now),
  });
}

function totalText(
  sums: UsageSum[],
  { start_timestamp, end_timestamp }: { start_timestamp: number; end_timestamp: number },
  { speak }: Environment,
  quota: (units: number) => string,
): string {
  const sumOf = (name: 'calls' | 'tokens' | 'quota') => sums.reduce((total, sum) => total + sum[name], 0);
  const range = { since: formatTime(start_timestamp).slice(0, 16), until: formatTime(end_timestamp).slice(0, 16) };
  return speak('tui.usage.totals', {
    calls: sumOf('calls'),
    tokens: sumOf('tokens'),
    quota: quota(sumOf('quota')),
    ...range,
  });
}

/** The requests behind a sum; undefined where the list of requests does not narrow to it. */
function scopeOf(
  { by, name, id }: Pick<UsageSum, 'name' | 'id'> & { by: UsageSubject },
  userId: number | undefined,
): Omit<LogScope, 'trail'> | undefined {
  const own = userId === undefined ? {} : { userId };
  if (by === 'user') return { userId: id };
  if (by === 'channel') return { ...own, channelId: id };
  return by === 'model' ? { ...own, modelName: name } : undefined;
}

function columnsFor(
  by: UsageSubject,
  { speak }: Environment,
  quota: (units: number) => string,
): ListColumn<UsageSum>[] {
  return [
    { title: speak(titles[by]), value: ({ name, id }) => name || `#${id}`, keep: true },
    { title: speak('tui.usage.calls'), value: ({ calls }) => calls, right: true },
    { title: speak('tui.usage.tokens'), value: ({ tokens }) => tokens, right: true },
    { title: speak('tui.usage.spent'), value: (sum) => quota(sum.quota), right: true },
  ];
}
