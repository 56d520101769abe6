import { AppError } from '../../../core/errors/app-error.ts';
import { systemActor } from '../../../core/schemas/actor.ts';
import type { OptionItem } from '../../../core/schemas/option.ts';
import type { Page } from '../../../core/schemas/paging.ts';
import type { OptionChange } from '../../../core/services/option/option.ts';
import { optionText } from '../../../core/text/option.ts';
import { isNo, isYes } from '../../text.ts';
import { type ListColumn, type ListControl, type ListRequest, ListScreen } from '../components/list-screen.tsx';
import { type Environment, useEnvironment } from '../environment.ts';
import { useNavigation } from '../hooks/use-navigation.tsx';
import { askForRows, useShortNames } from '../hooks/use-row-actions.ts';
import { useStatus } from '../hooks/use-status.tsx';
import { OptionDetails, optionDetails } from './option/details.tsx';
import { OptionForm, savedText } from './option/form.tsx';

const filters = ['card', 'changed'] as const;

export function OptionScreen() {
  const environment = useEnvironment();
  const { app, speak, language } = environment;
  const { options } = app.services;
  const { push } = useNavigation();
  const status = useStatus();
  const shorten = useShortNames();
  const edit = (item: OptionItem, { reload }: ListControl) => push(<OptionForm item={item} onSaved={reload} />);

  function flip(item: OptionItem, { reload }: ListControl): void {
    if (item.kind !== 'boolean') {
      status.say(speak('tui.option.noSwitch', { key: item.key }));
      return;
    }
    const set = async (value: string): Promise<OptionChange> => {
      const change = await options.set(systemActor, item.key, value);
      reload();
      return change;
    };
    void status.act(async () => {
      const text = savedText(await set(item.value === 'true' ? 'false' : 'true'), environment);
      status.offerUndo(text, async () => savedText(await set(item.value), environment));
      return undefined;
    });
  }

  async function reset(items: OptionItem[], { reload, clearMarks }: ListControl): Promise<void> {
    const keys = shorten(items.map(({ key }) => key));
    if (!(await askForRows(status, speak('option.askReset', { keys }), { count: items.length, word: 'reset' }))) return;
    await status.act(async () => {
      let text = '';
      for (const { key } of items) {
        const change = await options.reset(systemActor, key);
        text = speak('option.reset', { key, value: shortValue(change.items[0], environment) });
      }
      clearMarks();
      reload();
      return items.length === 1 ? text : speak('batch.summary', { done: items.length, total: items.length });
    });
  }

  return (
    <ListScreen
      title={speak('tui.options')}
      columns={columnsFor(environment)}
      load={async (request) => pageOf(options.list(systemActor), request, environment)}
      idOf={({ key }) => key}
      filters={filters}
      detail={({ key }) => ` ${optionText(language, key).hint}`}
      beside={(item) => optionDetails(item, environment, maxBesideLength)}
      details={(item) => <OptionDetails item={item} />}
      enter={{ label: speak('tui.keyEdit'), run: edit }}
      actions={[
        { key: 'e', label: speak('tui.option.switch'), run: ([item], list) => item && flip(item, list) },
        { key: 'E', label: speak('tui.keyEdit'), run: ([item], list) => item && edit(item, list) },
        { key: 'x', label: speak('tui.option.reset'), run: (items, list) => void reset(items, list) },
      ]}
      empty={speak('tui.option.empty')}
    />
  );
}

/** Options are in memory: searched by key, label, hint and value that may be shown. */
function pageOf(
  all: OptionItem[],
  { keyword, values, page, page_size }: ListRequest,
  { language }: Environment,
): Page<OptionItem> {
  const wanted = keyword.toLowerCase();
  if (values.changed !== undefined && !isYes(values.changed) && !isNo(values.changed)) {
    throw new AppError('input.invalid', { reason: 'changed: yes, no' });
  }
  const isChanged = values.changed === undefined ? undefined : isYes(values.changed);
  const found = all.filter((item) => {
    const { label, hint } = optionText(language, item.key);
    const text = [item.key, label, hint, item.value].join(' ').toLowerCase();
    const isOfCard = values.card === undefined || item.card === values.card.toLowerCase();
    return text.includes(wanted) && isOfCard && (isChanged === undefined || item.has === isChanged);
  });
  return { items: found.slice((page - 1) * page_size, page * page_size), page, page_size, total: found.length };
}

function columnsFor(environment: Environment): ListColumn<OptionItem>[] {
  const { speak, language } = environment;
  return [
    { title: speak('tui.option.key'), value: ({ key }) => key, keep: true },
    { title: speak('tui.option.label'), value: ({ key }) => optionText(language, key).label },
    {
      title: speak('tui.option.value'),
      value: (item) => shortValue(item, environment),
      color: ({ secret }) => (secret ? 'dim' : undefined),
    },
    { title: speak('tui.option.card'), value: ({ card }) => card },
    {
      title: speak('tui.option.own'),
      value: ({ has }) => (has ? speak('tui.option.isOwn') : ''),
      color: () => 'yellow',
      whole: true,
    },
  ];
}

const maxShownLength = 200;
/** More than fits beside the list of a large terminal. */
const maxBesideLength = 2000;

/** Enough for a line; price maps have hundreds of entries. */
function shortValue(item: OptionItem | undefined, { speak }: Environment): string {
  if (item?.secret) return speak(item.has ? 'tui.option.isSet' : 'tui.option.isNotSet');
  return item?.value.slice(0, maxShownLength) ?? '';
}
