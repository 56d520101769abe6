import { useRef, useState } from 'react';
import { nowSeconds, secondsPerDay } from '../../../core/lib/clock.ts';
import { systemActor } from '../../../core/schemas/actor.ts';
import type { Page } from '../../../core/schemas/paging.ts';
import {
  type UsageReportInput,
  type UsageSubject,
  type UsageSum,
  usageReportSchema,
  usageSubjects,
} from '../../../core/schemas/usage-report.ts';
import { formatTime, parseRange } from '../../flag/value.ts';
import type { Sentence } from '../../text.ts';
import { Details } from '../components/details.tsx';
import { type ListColumn, type ListRequest, ListScreen } from '../components/list-screen.tsx';
import { type Environment, useEnvironment } from '../environment.ts';
import { grouped } from '../grouped.ts';
import { useNavigation } from '../hooks/use-navigation.tsx';
import { useCost, useQuota } from '../hooks/use-quota.ts';
import type { LogScope } from './log/read-logs.ts';
import { LogScreen } from './log.tsx';
import { nameOf, sumDetails, totalOf, type UsageRange } from './usage/details.ts';

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
  const prices = { quota, cost: useCost() };
  const [by, setBy] = useState<UsageSubject>(owner ? 'day' : 'model');
  const range = useRef<UsageRange>({ sums: [], since: '', until: '' });
  const next = usageSubjects[(usageSubjects.indexOf(by) + 1) % usageSubjects.length] ?? 'model';

  async function load(request: ListRequest): Promise<Page<UsageSum>> {
    const input = await readInput(request, by, owner?.name, environment);
    const all = await environment.app.services.usageReport.read(systemActor, input);
    range.current = rangeOf(all, input);
    const found = all.filter(({ name }) => name.toLowerCase().includes(request.keyword.toLowerCase()));
    const { page, page_size } = request;
    return { items: found.slice((page - 1) * page_size, page * page_size), page, page_size, total: found.length };
  }

  const byText = (subject: UsageSubject) => speak('tui.usage.by', { what: speak(titles[subject]).toLowerCase() });
  const path = trail.length > 0 ? trail : [speak('tui.usage')];
  const showRequests = (sum: UsageSum) => {
    const scope = scopeOf({ ...sum, by }, owner?.id);
    if (scope) push(<LogScreen scope={{ ...scope, trail: [...path, nameOf(sum)] }} />);
  };
  return (
    <ListScreen
      key={by}
      title={`${speak('tui.usage')} ${symbols.dot} ${byText(by)}`}
      trail={trail}
      columns={columnsFor(by, environment, quota)}
      load={load}
      idOf={({ name, id }) => `${id} ${name}`}
      filters={owner ? ['since', 'until'] : ['user', 'since', 'until']}
      detail={() => ` ${totalText(range.current, environment, quota)}`}
      beside={(sum) => sumDetails(sum, { by, range: range.current }, environment, prices)}
      details={(sum) => (
        <Details
          title={[...path, nameOf(sum)].join(` ${symbols.into} `)}
          details={sumDetails(sum, { by, range: range.current }, environment, prices)}
        />
      )}
      {...(by !== 'day' && { enter: { label: speak('tui.keyRequests'), run: showRequests } })}
      actions={[{ key: 'b', label: byText(next), start: () => setBy(next) }]}
      hasMarks={false}
      empty={() => speak('tui.usage.empty', { since: range.current.since })}
    />
  );
}

async function readInput({ values }: ListRequest, by: UsageSubject, owner: string | undefined, { app }: Environment) {
  const now = nowSeconds();
  const { user } = values;
  const { start = now - defaultDays * secondsPerDay, end = now } = parseRange(values, now);
  return usageReportSchema.parse({
    by,
    username: owner ?? (user === undefined ? '' : (await app.services.users.find(systemActor, user)).username),
    start_timestamp: start,
    end_timestamp: end,
  });
}

function rangeOf(sums: UsageSum[], { start_timestamp, end_timestamp }: UsageReportInput): UsageRange {
  const minute = (seconds: number) => formatTime(seconds).slice(0, 16);
  return { sums, since: minute(start_timestamp), until: minute(end_timestamp) };
}

function totalText(
  { sums, since, until }: UsageRange,
  { speak }: Environment,
  quota: (units: number) => string,
): string {
  const [calls, tokens, spent] = [totalOf(sums, 'calls'), totalOf(sums, 'tokens'), totalOf(sums, 'quota')];
  return speak('tui.usage.totals', {
    calls: grouped(calls),
    tokens: grouped(tokens),
    quota: quota(spent),
    since,
    until,
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
    { title: speak(titles[by]), value: nameOf, keep: true },
    { title: speak('tui.usage.calls'), value: ({ calls }) => grouped(calls), right: true },
    { title: speak('tui.usage.tokens'), value: ({ tokens }) => grouped(tokens), right: true },
    { title: speak('tui.usage.spent'), value: (sum) => quota(sum.quota), right: true },
  ];
}
