import { systemActor } from '../../../../core/schemas/actor.ts';
import { channelTypeLabel, channelTypeOf } from '../../../../core/schemas/channel-type.ts';
import { channelReasonOf, type SeenChannel } from '../../../../core/services/overview/channel-state.ts';
import { type Language, wordsIn } from '../../../../core/text/text.ts';
import { formatTime } from '../../../flag/value.ts';
import { seenChannels } from '../../../print/seen-channel.ts';
import type { Sentence } from '../../../text.ts';
import { type Detail, Details } from '../../components/details.tsx';
import { LoadState } from '../../components/load-state.tsx';
import { type Environment, useEnvironment } from '../../environment.ts';
import { useLoad } from '../../hooks/use-load.ts';
import { useQuota } from '../../hooks/use-quota.ts';
import type { LogScope } from '../log/read-logs.ts';
import { LogScreen } from '../log.tsx';
import { stateText } from './health.ts';
import { useModelHealth } from './use-model-health.ts';

/** All of a channel; its key is never shown. */
export function ChannelDetails({ id }: { id: number }) {
  const environment = useEnvironment();
  const quota = useQuota();
  const { app } = environment;
  const read = async () => (await seenChannels(app, [await app.services.channels.get(systemActor, id)]))[0];
  const { data, error, isSlow } = useLoad(read, { key: String(id) });
  const health = useModelHealth(id);
  if (!data || error !== undefined) return <LoadState error={error} isSlow={isSlow} hasData={false} />;
  const { speak } = environment;
  const open = () => <LogScreen scope={channelScope(data, speak)} />;
  const links = [{ key: 'l', label: speak('tui.keyRequests'), open }];
  const title = speak('tui.channel.editTitle', { id, name: data.name });
  const details = [...stateDetails(data, environment), ...health, ...settingDetails(data, environment, quota)];
  return <Details title={title} details={details} links={links} />;
}

/** The requests that a channel served, or was the last to be tried for. */
export function channelScope({ id, name }: Pick<SeenChannel, 'id' | 'name'>, speak: Environment['speak']): LogScope {
  return { trail: [speak('tui.channels'), name], channelId: id };
}

export function channelDetails(
  channel: SeenChannel,
  environment: Environment,
  quota: (units: number) => string,
): Detail[] {
  return [...stateDetails(channel, environment), ...settingDetails(channel, environment, quota)];
}

function stateDetails(channel: SeenChannel, environment: Environment): Detail[] {
  const { speak, language } = environment;
  const { reason } = channelReasonOf(channel);
  const noteOf = (label: Sentence, text: string): Detail[] => (text === '' ? [] : [[speak(label), text]]);
  return [
    [speak('tui.channel.field.type'), channelTypeLabel(channel.type, language)],
    [speak('tui.channel.detail.state'), stateText(channel, environment)],
    ...noteOf('tui.channel.detail.reason', wordsIn(language, reason)),
    ...noteOf('tui.channel.detail.problem', channel.problem === reason ? '' : wordsIn(language, channel.problem)),
    ...noteOf('tui.channel.detail.lastError', lastErrorOf(channel, language)),
    ...noteOf('tui.channel.detail.success', successOf(channel)),
  ];
}

function settingDetails(channel: SeenChannel, environment: Environment, quota: (units: number) => string): Detail[] {
  const { speak } = environment;
  const time = (seconds: number) => (seconds > 0 ? formatTime(seconds) : '-');
  const refusedAt = channel.stream_options_refused_time;
  const refused: Detail[] = refusedAt > 0 ? [[speak('tui.channel.detail.streamOptions'), time(refusedAt)]] : [];
  return [
    [speak('tui.channel.field.group'), channel.group],
    [speak('tui.channel.field.models'), channel.models.split(',').join(', ')],
    [speak('tui.channel.field.baseUrl'), channel.base_url || (channelTypeOf(channel.type)?.defaultBaseUrl ?? '')],
    [speak('tui.channel.field.priority'), String(channel.priority)],
    [speak('tui.channel.field.weight'), String(channel.weight)],
    [speak('tui.channel.field.tag'), channel.tag ?? ''],
    [speak('tui.channel.detail.used'), quota(channel.used_quota)],
    [speak('tui.channel.detail.balance'), channel.balance_updated_time > 0 ? `$${channel.balance.toFixed(2)}` : ''],
    [speak('tui.channel.detail.tested'), time(channel.test_time)],
    [speak('tui.channel.detail.created'), time(channel.created_time)],
    ...refused,
    [speak('tui.channel.field.modelMapping'), channel.model_mapping],
    [speak('tui.channel.field.statusMapping'), channel.status_code_mapping],
    [speak('tui.channel.field.setting'), channel.setting],
    [speak('tui.channel.field.override'), channel.param_override],
  ];
}

function lastErrorOf({ health }: SeenChannel, language: Language): string {
  const { last_error: error, last_error_at: at } = health ?? { last_error: '', last_error_at: 0 };
  return [at > 0 ? formatTime(at) : '', wordsIn(language, error)].filter(Boolean).join(' ');
}

function successOf({ health }: SeenChannel): string {
  return health?.success == null ? '' : `${(health.success * 100).toFixed(1)} %`;
}
