import { systemActor } from '../../../core/schemas/actor.ts';
import type { Limit } from '../../../core/schemas/limit.ts';
import { isForEach, limitLevel, usageOfSubject, usedShare } from '../../../core/schemas/limit-subject.ts';
import { formatTime } from '../../flag/value.ts';
import { readLimitsOf, type Subject } from '../../limits-of.ts';
import { limitAmount, limitRule } from '../../print/limit.ts';
import { quotaFormat } from '../../print/quota-format.ts';
import { type ListAction, type ListColumn, ListScreen } from '../components/list-screen.tsx';
import { type Environment, useEnvironment } from '../environment.ts';
import { useNavigation } from '../hooks/use-navigation.tsx';
import { useRowActions } from '../hooks/use-row-actions.ts';
import { LimitForm } from './limit/form.tsx';
import { limitBar } from './limit/use-limits.ts';

interface LimitScreenProps {
  subject: Subject;
  /** What was opened to come here. */
  trail: readonly string[];
}

/** What limits one token or user; those for each of its kind are shown, and changed by a command or on the console. */
export function LimitScreen({ subject, trail }: LimitScreenProps) {
  const environment = useEnvironment();
  const { app, speak } = environment;
  const { limits, options } = app.services;
  const { push } = useNavigation();
  const rule = (limit: Limit) => limitRule(limit, quotaFormat(options), speak);
  const rowActions = useRowActions<Limit>(({ id }) => String(id));
  const own = (rows: Limit[]) => rows.filter((limit) => !isForEach(limit));
  const actions: ListAction<Limit>[] = [
    {
      key: 'n',
      label: speak('tui.keyNew'),
      start: ({ showNew }) => push(<LimitForm subject={subject} limit={undefined} onSaved={showNew} />),
    },
    {
      key: 'E',
      label: speak('tui.keyEdit'),
      run: (rows, { reload }) => {
        const [limit] = own(rows);
        if (limit) push(<LimitForm subject={subject} limit={limit} onSaved={reload} />);
      },
    },
    {
      key: 'e',
      label: speak('tui.keySwitch'),
      run: (rows, list) =>
        rowActions.toggle(
          {
            isOn: ({ enabled }) => enabled,
            set: async (rows, enabled) => {
              for (const { id } of rows) await limits.update(systemActor, { id, enabled });
            },
            on: 'tui.limit.enabled',
            off: 'tui.limit.disabled',
          },
          own(rows),
          list,
        ),
    },
    {
      key: 'x',
      label: speak('tui.keyRemove'),
      run: (rows, list) => {
        if (own(rows).length === 0) return;
        rowActions.remove(
          {
            remove: async (rows) => {
              for (const { id } of rows) await limits.remove(systemActor, id);
            },
            ask: 'limit.askRemove',
            done: 'tui.limit.removed',
          },
          own(rows),
          list,
        );
      },
    },
  ];
  return (
    <ListScreen
      title={speak('tui.limit.title')}
      trail={trail}
      columns={columnsFor(environment, subject.subject, rule)}
      load={async () => {
        const items = await readLimitsOf(app, subject);
        return { items, page: 1, page_size: items.length, total: items.length };
      }}
      idOf={({ id }) => id}
      actions={actions}
      empty={speak('tui.limit.empty')}
    />
  );
}

function columnsFor(environment: Environment, subject: string, rule: (limit: Limit) => string): ListColumn<Limit>[] {
  const { app, speak, symbols } = environment;
  const format = quotaFormat(app.services.options);
  return [
    { title: 'ID', value: ({ id }) => id, right: true },
    { title: speak('tui.limit.column.limit'), keep: true, value: rule },
    {
      title: speak('tui.limit.column.used'),
      whole: true,
      value: (limit) => {
        const use = usageOfSubject(limit, subject);
        return use ? limitBar(limit, use, environment) : '-';
      },
      color: (limit) => {
        const use = usageOfSubject(limit, subject);
        return use && ({ ok: undefined, near: 'yellow', reached: 'red' } as const)[limitLevel(usedShare(limit, use))];
      },
    },
    {
      title: speak('tui.limit.column.left'),
      right: true,
      value: (limit) => {
        const use = usageOfSubject(limit, subject);
        return use ? limitAmount(limit, use.remaining, format) : '-';
      },
    },
    {
      title: speak('tui.limit.column.resets'),
      extra: true,
      whole: true,
      value: (limit) => {
        const at = usageOfSubject(limit, subject)?.resets_at ?? 0;
        return at > 0 ? formatTime(at) : '-';
      },
    },
    {
      title: speak('tui.limit.column.status'),
      whole: true,
      value: (limit) => {
        if (isForEach(limit)) return speak('limit.general');
        return limit.enabled ? `${symbols.on} ${speak('tui.limit.on')}` : `${symbols.off} ${speak('limit.off')}`;
      },
      color: ({ enabled }) => (enabled ? 'green' : 'dim'),
    },
  ];
}
