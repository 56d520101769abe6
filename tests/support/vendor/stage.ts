import { expect } from 'vitest';
import { systemActor } from '../../../core/schemas/actor.ts';
import { channelStatus } from '../../../core/schemas/channel-status.ts';
import { type LogEntry, startGateway, type TestGateway } from '../start-gateway.ts';
import { failure, json, type RecordedRequest, resolve, type Script, sse } from '../upstream-script.ts';
import { nameOf } from './all.ts';
import type { VendorChannel, VendorFixture } from './vendor-fixture.ts';

/** One gateway with a channel for every fixture, and one behind them all that takes over what may be tried elsewhere. */
export interface Stage {
  gateway: TestGateway;
  channelId(fixture: VendorFixture): number;
  /** The response of the fixture's upstream from now on; calls seen so far are forgotten. */
  play(fixture: VendorFixture, response: Script): void;
  /** The first call that the script served. */
  asked(): RecordedRequest;
  /** Calls that went to the channel behind. */
  takenOver(): number;
  /** Without it, what may be tried elsewhere is refused there. */
  mayTakeOver(isAllowed: boolean): void;
  /** The row of consumption that `call` leaves. */
  logged<T>(call: () => Promise<T>): Promise<{ response: T; row: LogRow }>;
  statusOf(fixture: VendorFixture): Promise<number>;
  enable(fixture: VendorFixture): Promise<void>;
}

export type LogRow = Pick<LogEntry, 'prompt_tokens' | 'completion_tokens' | 'other'>;

const elsewhere = '/elsewhere';
export const takenOverText = 'Answered elsewhere.';

/** The name under which clients ask for a fixture's model. */
export function aliasOf(fixture: VendorFixture, model: string): string {
  return `${model.replaceAll('/', '-')}@${fixture.type}${fixture.variant}`;
}

/** The channel's own fields. */
export function channelOf({ channel }: VendorFixture, upstreamUrl: string): VendorChannel {
  return typeof channel === 'function' ? channel(upstreamUrl) : channel;
}

function modelsOf({ chat, embeddings, rerank, images, speech, transcription }: VendorFixture): string[] {
  const others = [embeddings, rerank, images, speech, transcription].map((exchange) => exchange?.model);
  return [...new Set([chat?.model, chat?.vision?.model, ...others].filter((model) => model !== undefined))];
}

export async function setStage(fixtures: readonly VendorFixture[]): Promise<Stage> {
  const gateway = await startGateway('sqlite', { STREAMING_TIMEOUT: '5', UPSTREAM_PRIVATE: '127.0.0.1' });
  const { upstream, app } = gateway;
  const { database, services } = app;
  // Prices are another test's business; what is unknown would be refused.
  await gateway.setOption('SelfUseModeEnabled', 'true');
  await gateway.setOption('AutomaticDisableChannelEnabled', 'true');
  await gateway.setOption('RetryTimes', '1');
  const ids = await addChannels(gateway, fixtures);
  let calls: RecordedRequest[] = [];
  let takenOver = 0;
  let mayTakeOver = true;

  return {
    gateway,
    channelId: (fixture) => ids.get(fixture) ?? Number.NaN,
    play(fixture, response) {
      upstream.reset();
      calls = [];
      takenOver = 0;
      mayTakeOver = true;
      fixture.prepare?.(upstream);
      upstream.always((request) => {
        if (request.path.startsWith(elsewhere)) {
          takenOver += 1;
          return mayTakeOver ? takeOver(request) : failure(400, { message: 'Nothing is answered here.' });
        }
        calls.push(request);
        return typeof response === 'function' ? response(request) : resolve(response);
      });
    },
    asked() {
      const [first] = calls;
      if (!first) throw new Error(`no call reached the upstream, but ${upstream.requests.map(({ path }) => path)}`);
      return first;
    },
    takenOver: () => takenOver,
    mayTakeOver(isAllowed) {
      mayTakeOver = isAllowed;
    },
    async logged(call) {
      const before = await database.logs.count({ where: { type: 2 } });
      const response = await call();
      await expect.poll(() => database.logs.count({ where: { type: 2 } })).toBe(before + 1);
      const row = await database.logs.findOne({ where: { type: 2 }, order: [['id', 'DESC']], raw: true });
      if (!row) throw new Error('no row');
      return { response, row: { ...row, other: JSON.parse(row.other || '{}') as Record<string, unknown> } };
    },
    async statusOf(fixture) {
      const row = await database.channels.findByPk(ids.get(fixture), { raw: true });
      return row?.status ?? Number.NaN;
    },
    async enable(fixture) {
      await services.channels.setStatus(systemActor, [ids.get(fixture) ?? 0], channelStatus.enabled);
      await gateway.gateway.refresh();
    },
  };
}

async function addChannels(gateway: TestGateway, fixtures: readonly VendorFixture[]) {
  const { url } = gateway.upstream;
  const ids = new Map<VendorFixture, number>();
  const all: string[] = [];
  for (const fixture of fixtures) {
    const { path = '', setting, ...channel } = channelOf(fixture, url);
    const models = modelsOf(fixture);
    const mapping = Object.fromEntries(models.map((model) => [aliasOf(fixture, model), model]));
    all.push(...Object.keys(mapping));
    const id = await gateway.addChannel({
      ...channel,
      type: fixture.type,
      name: nameOf(fixture),
      base_url: url + path,
      models: Object.keys(mapping).join(','),
      model_mapping: JSON.stringify(mapping),
      ...(setting && { setting: JSON.stringify(setting) }),
    });
    ids.set(fixture, id);
  }
  await gateway.addChannel({ name: 'elsewhere', models: all.join(','), base_url: url + elsewhere, priority: -1 });
  return ids;
}

function takeOver({ json: body }: RecordedRequest) {
  const isStream = (body as { stream?: unknown } | undefined)?.stream === true;
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  const common = { id: 'chatcmpl-2', created: 1_767_322_800, model: 'other' };
  const message = { role: 'assistant', content: takenOverText };
  if (!isStream) {
    const choices = [{ index: 0, message, finish_reason: 'stop' }];
    return json(200, { ...common, object: 'chat.completion', choices, usage, data: [], results: [] });
  }
  const chunk = { ...common, object: 'chat.completion.chunk', usage };
  return sse([{ ...chunk, choices: [{ index: 0, delta: message, finish_reason: 'stop' }] }, '[DONE]']);
}
