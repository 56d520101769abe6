import { AppError } from '../../../core/errors/app-error.ts';
import { systemActor } from '../../../core/schemas/actor.ts';
import { type Channel, channelListSchema } from '../../../core/schemas/channel.ts';
import { channelTypeLabel, findChannelType } from '../../../core/schemas/channel-type.ts';
import type { SeenChannel } from '../../../core/services/overview/channel-state.ts';
import { coded } from '../../../core/text/coded.ts';
import { formatTime } from '../../flag/value.ts';
import { seenChannels } from '../../print/seen-channel.ts';
import { inEveryLanguage } from '../../text.ts';
import { type ListAction, type ListColumn, type ListRequest, ListScreen } from '../components/list-screen.tsx';
import { type Environment, useEnvironment } from '../environment.ts';
import { cut, oneLine } from '../fit.ts';
import { useNavigation } from '../hooks/use-navigation.tsx';
import { useQuota } from '../hooks/use-quota.ts';
import { ChannelDetails, channelDetails, channelScope } from './channel/details.tsx';
import { ChannelForm } from './channel/form.tsx';
import { errorSentence, errorText, stateColor, stateText } from './channel/health.ts';
import { useChannelActions } from './channel/use-channel-actions.ts';
import { LogScreen } from './log.tsx';

const filters = ['group', 'status', 'type', 'model', 'tag'] as const;
const sorts = ['-priority', 'name', '-id', '-response_time', '-used_quota'] as const;

export function ChannelScreen() {
  const environment = useEnvironment();
  const { app, speak } = environment;
  const quota = useQuota();
  const { push } = useNavigation();
  const actions = useChannelActions();
  const edit = (channel: Channel | undefined, onSaved: (id: number) => Promise<void> | void) =>
    push(<ChannelForm channel={channel} onSaved={onSaved} />);
  const showRequests = (channel: SeenChannel) => push(<LogScreen scope={channelScope(channel, speak)} />);

  const keys: ListAction<SeenChannel>[] = [
    { key: 't', label: speak('tui.channel.test'), run: actions.test },
    { key: 'e', label: speak('tui.keySwitch'), run: actions.toggle },
    { key: 'n', label: speak('tui.keyNew'), start: ({ showNew }) => edit(undefined, showNew) },
    { key: 'E', label: speak('tui.keyEdit'), run: ([channel], { reload }) => edit(channel, reload) },
    { key: 'x', label: speak('tui.keyRemove'), run: actions.remove },
    { key: 'T', label: speak('tui.channel.testAll'), start: actions.testAll },
    { key: 'b', label: speak('tui.channel.balance'), run: actions.readBalance },
    { key: 'c', label: speak('tui.channel.copy'), run: actions.copy },
    {
      key: 'l',
      label: speak('tui.keyRequests'),
      run: ([channel]) => channel && showRequests(channel),
    },
  ];

  return (
    <ListScreen
      title={speak('tui.channels')}
      columns={columnsFor(environment)}
      load={async (request) => {
        const found = await app.services.channels.list(systemActor, listInput(request));
        return { ...found, items: await seenChannels(app, found.items) };
      }}
      idOf={({ id }) => id}
      filters={filters}
      sorts={sorts}
      detail={(channel) => detailOf(channel, environment, quota)}
      beside={(channel) => channelDetails(channel, environment, quota)}
      details={({ id }) => <ChannelDetails id={id} />}
      enter={{ label: speak('tui.keyRequests'), run: showRequests }}
      actions={keys}
      empty={speak('tui.channel.empty')}
    />
  );
}

function listInput({ page, page_size, keyword, values, sort }: ListRequest) {
  const { group, status, type, model, tag } = values;
  return channelListSchema.parse({
    page,
    page_size,
    keyword,
    group,
    model,
    tag,
    sort,
    ...(status !== undefined && { status: statusOf(status) }),
    ...(type !== undefined && { type: typeOf(type) }),
  });
}

/** The words of the table in any language, those of the command line, and the numbers of the API. */
const statusNames = [
  [1, 'on', 'enabled', ...inEveryLanguage('tui.channel.enabled')],
  [2, 'off', 'disabled', ...inEveryLanguage('tui.channel.disabled')],
  [3, 'auto', 'auto-off', 'auto-disabled', ...inEveryLanguage('tui.channel.autoDisabled')],
] as const;

function statusOf(text: string): number {
  const status = statusNames.find((names) => names.some((name) => String(name) === text.toLowerCase()));
  if (status === undefined) throw new AppError('input.invalid', { reason: 'status: enabled, disabled, auto-disabled' });
  return status[0];
}

function typeOf(text: string): number {
  const type = findChannelType(text);
  if (!type) throw new AppError('input.invalid', { reason: coded('input.noSuchType') });
  return type.number;
}

const errorCells = 40;

function columnsFor(environment: Environment): ListColumn<SeenChannel>[] {
  const { speak, symbols, language } = environment;
  return [
    { title: 'ID', value: ({ id }) => id, right: true },
    { title: speak('tui.channel.name'), value: ({ name }) => name, keep: true },
    { title: speak('tui.channel.type'), value: ({ type }) => channelTypeLabel(type, language) },
    {
      title: speak('tui.channel.status'),
      whole: true,
      value: (channel) => stateText(channel, environment),
      color: stateColor,
    },
    { title: speak('tui.channel.latency'), right: true, value: (channel) => latencyOf(channel, { speak }) },
    { title: speak('tui.channel.priority'), right: true, value: ({ priority }) => priority },
    {
      title: speak('tui.channel.lastError'),
      extra: true,
      value: (channel) => cut(oneLine(errorText(channel, environment)), errorCells, symbols.ellipsis),
    },
    { title: speak('tui.channel.group'), extra: true, value: ({ group }) => group },
    { title: speak('tui.channel.tag'), extra: true, value: ({ tag }) => tag ?? '' },
    { title: speak('tui.channel.weight'), extra: true, right: true, value: ({ weight }) => weight },
    { title: speak('tui.channel.models'), extra: true, value: ({ models }) => models },
  ];
}

function latencyOf({ response_time, test_time }: Channel, { speak }: Pick<Environment, 'speak'>): string {
  // What took less would seem to have taken nothing.
  if (response_time > 0) return `${Math.max(response_time / 1000, 0.01).toFixed(2)}s`;
  return test_time > 0 ? speak('tui.channel.testFailed') : '-';
}

function detailOf(channel: SeenChannel, environment: Environment, quota: (units: number) => string): string {
  const { speak } = environment;
  const { id, models, test_time, used_quota } = channel;
  const error = errorSentence(channel, environment);
  if (error !== '') return ` ${oneLine(error)}`;
  const tested = test_time > 0 ? formatTime(test_time) : speak('tui.channel.never');
  const count = models.split(',').filter(Boolean).length;
  return ` ${speak('tui.channel.summary', { id, models: count, time: tested, quota: quota(used_quota) })}`;
}
