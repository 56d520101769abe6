import { AppError } from '../../../core/errors/app-error.ts';
import { maskKey } from '../../../core/lib/mask-key.ts';
import { systemActor } from '../../../core/schemas/actor.ts';
import type { Page } from '../../../core/schemas/paging.ts';
import {
  type Redemption,
  redemptionListSchema,
  redemptionListStatus,
  redemptionStatus,
} from '../../../core/schemas/redemption.ts';
import { wordsIn } from '../../../core/text/text.ts';
import { numberOf } from '../../flag/status-word.ts';
import { formatTime } from '../../flag/value.ts';
import { userNames } from '../../print/object-name.ts';
import {
  type ListAction,
  type ListColumn,
  type ListControl,
  type ListRequest,
  ListScreen,
} from '../components/list-screen.tsx';
import { type Environment, useEnvironment } from '../environment.ts';
import { useNavigation } from '../hooks/use-navigation.tsx';
import { useQuota } from '../hooks/use-quota.ts';
import { useRowActions } from '../hooks/use-row-actions.ts';
import { useStatus } from '../hooks/use-status.tsx';
import { maskWith } from '../symbol.ts';
import { codeDetails, codeState, codeStatusText, RedemptionDetails, type UsedCode } from './redemption/details.tsx';
import { EditCodeForm, NewCodesForm } from './redemption/form.tsx';

const filters = ['status'] as const;
const sorts = ['-id', 'name', '-quota', '-created_time', '-redeemed_time', 'expired_time'] as const;

/** Codes worth quota. The list shows a part of each; Enter shows one whole. */
export function RedemptionScreen() {
  const environment = useEnvironment();
  const { app, speak } = environment;
  const { redemptions } = app.services;
  const quota = useQuota();
  const { push } = useNavigation();
  const status = useStatus();
  const rowActions = useRowActions<UsedCode>(({ id, name }) => `${id} (${name})`);

  function edit([code]: Redemption[], { reload }: ListControl): void {
    if (!code) return;
    if (code.status === redemptionStatus.used) status.fail(new AppError('redemption.fixed'));
    else push(<EditCodeForm code={code} onSaved={reload} />);
  }

  async function removeInvalid({ reload, clearMarks }: ListControl): Promise<void> {
    const totalOf = async (filter: { status?: number }) =>
      (await redemptions.list(systemActor, redemptionListSchema.parse({ ...filter, page_size: 1 }))).total;
    await status.act(async () => {
      const count = (await totalOf({})) - (await totalOf({ status: redemptionListStatus.unused }));
      if (count > 0 && !(await status.ask(speak('redemption.askRemoveInvalid', { count })))) return undefined;
      const removed = count > 0 ? await redemptions.removeInvalid(systemActor) : 0;
      clearMarks();
      reload();
      return speak('redemption.removedInvalid', { count: removed });
    });
  }

  const actions: ListAction<UsedCode>[] = [
    {
      key: 'e',
      label: speak('tui.keySwitch'),
      run: (rows, list) =>
        rowActions.toggle(
          {
            isOn: (code) => code.status === redemptionStatus.unused,
            set: (rows, isOn) =>
              redemptions.setStatusMany(systemActor, {
                ids: idsOf(rows),
                status: isOn ? redemptionStatus.unused : redemptionStatus.disabled,
              }),
            on: 'redemption.enabled',
            off: 'redemption.disabled',
          },
          rows,
          list,
        ),
    },
    { key: 'n', label: speak('tui.keyNew'), start: ({ showNew }) => push(<NewCodesForm onSaved={showNew} />) },
    { key: 'E', label: speak('tui.keyEdit'), run: edit },
    {
      key: 'x',
      label: speak('tui.keyRemove'),
      run: (rows, list) =>
        rowActions.remove(
          {
            remove: (rows) => redemptions.removeMany(systemActor, idsOf(rows)),
            ask: 'redemption.askRemove',
            done: 'redemption.removed',
          },
          rows,
          list,
        ),
    },
    { key: 'X', label: speak('tui.redemption.removeInvalid'), start: (list) => void removeInvalid(list) },
  ];

  return (
    <ListScreen
      title={speak('tui.codes')}
      columns={columnsFor(environment, quota)}
      load={(request) => readCodes(environment, request)}
      idOf={({ id }) => id}
      filters={filters}
      sorts={sorts}
      detail={(code) =>
        ` ${speak('tui.redemption.summary', { id: code.id, code: masked(code, environment), time: formatTime(code.created_time) })}`
      }
      beside={(code) => codeDetails({ ...code, key: masked(code, environment) }, environment, quota)}
      details={(code) => <RedemptionDetails code={code} />}
      actions={actions}
      empty={speak('tui.redemption.empty')}
    />
  );
}

/** Who used a code is named, not numbered. */
async function readCodes(environment: Environment, request: ListRequest): Promise<Page<UsedCode>> {
  const { app } = environment;
  const found = await app.services.redemptions.list(systemActor, listInput(request, environment));
  const nameOf = await userNames(
    app,
    found.items.map(({ used_user_id }) => used_user_id),
  );
  return { ...found, items: found.items.map((code) => ({ ...code, usedBy: nameOf(code.used_user_id) })) };
}

const masked = ({ key, key_problem }: Pick<Redemption, 'key' | 'key_problem'>, { symbols, language }: Environment) =>
  key_problem === undefined ? maskWith(symbols, maskKey(key)) : wordsIn(language, key_problem);

const statusWords = new Map<number, string>([
  [redemptionListStatus.unused, 'unused'],
  [redemptionListStatus.disabled, 'disabled'],
  [redemptionListStatus.used, 'used'],
  [redemptionListStatus.expired, 'expired'],
]);

/** The words of the command line, those on the screen, and the numbers of the API. */
function listInput({ page, page_size, keyword, values, sort }: ListRequest, { speak }: Environment) {
  const shown = new Map<string, number>([
    [speak('tui.redemption.unused'), redemptionListStatus.unused],
    [speak('tui.redemption.disabled'), redemptionListStatus.disabled],
    [speak('tui.redemption.used'), redemptionListStatus.used],
    [speak('tui.redemption.expired'), redemptionListStatus.expired],
  ]);
  const { status } = values;
  return redemptionListSchema.parse({
    page,
    page_size,
    keyword,
    sort,
    ...(status !== undefined && { status: shown.get(status) ?? numberOf(statusWords, status, 'status') }),
  });
}

function columnsFor(environment: Environment, quota: (units: number) => string): ListColumn<UsedCode>[] {
  const { speak } = environment;
  return [
    { title: 'ID', value: ({ id }) => id, right: true },
    { title: speak('tui.redemption.name'), value: ({ name }) => name, keep: true },
    {
      title: speak('tui.redemption.status'),
      whole: true,
      value: (code) => codeStatusText(code, environment),
      color: (code) => (codeState(code) === redemptionListStatus.unused ? 'green' : 'dim'),
    },
    { title: speak('tui.redemption.quota'), right: true, value: (code) => quota(code.quota) },
    {
      title: speak('tui.redemption.code'),
      whole: true,
      value: (code) => (code.key_problem ? environment.symbols.unknown : masked(code, environment)),
    },
    {
      title: speak('tui.redemption.expires'),
      extra: true,
      whole: true,
      value: ({ expired_time: time }) => (time > 0 ? formatTime(time) : speak('tui.redemption.never')),
    },
    {
      title: speak('tui.redemption.usedBy'),
      extra: true,
      value: ({ usedBy }) => usedBy || '-',
    },
    {
      title: speak('tui.redemption.created'),
      extra: true,
      whole: true,
      value: ({ created_time }) => formatTime(created_time),
    },
  ];
}

const idsOf = (rows: Redemption[]) => rows.map(({ id }) => id);
