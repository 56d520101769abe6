import { countChatRequest } from '../../billing/count-chat-request.ts';
import { UpstreamError } from '../../errors/upstream-error.ts';
import { isJsonObject } from '../../lib/json-value.ts';
import { finishInTurns } from '../../lib/steps.ts';
import type { ProviderAdapter, UpstreamRequest } from '../../providers/adapter.ts';
import { adapterFor } from '../../providers/registry.ts';
import { upstreamProtocol } from '../../providers/upstream-protocol.ts';
import type { RoutedChannel, Tiers } from '../../services/routing.ts';
import { coded } from '../../text/coded.ts';
import type { CountProtocol } from '../../wire/count-protocol.ts';
import { admit } from '../admit.ts';
import { type AskDependencies, askUpstream } from '../attempt/ask-upstream.ts';
import { tryChannels } from '../attempt/attempt.ts';
import { planOf } from '../attempt/attempt-plan.ts';
import { Breaker } from '../attempt/breaker.ts';
import { RetryBudget } from '../attempt/retry-budget.ts';
import type { RelayBody } from '../call.ts';
import type { ClientWriter } from '../deliver/client-writer.ts';
import { DeliveryControl } from '../deliver/delivery.ts';
import { longBytes, ObjectBody } from '../request/object-body.ts';
import { upstreamModelOf } from '../request/outgoing-call.ts';
import { usefulOf } from '../request/write-call.ts';
import type { RelayDependencies } from '../run.ts';
import type { FreeCall } from './free-call.ts';

export interface CountCall {
  call: FreeCall;
  protocol: CountProtocol;
  model: string;
  body: RelayBody;
  client: ClientWriter;
}

type CountDependencies = AskDependencies &
  Pick<RelayDependencies, 'routing' | 'counter' | 'health' | 'pricing' | 'speeds'>;

const limits = { headersMs: 10_000, idleMs: 10_000, totalMs: 15_000 };
const maxResponseBytes = 64 * 1024;
/** Said of the prompt itself: our own number would hide what is wrong with it. */
const promptFaults = new Set([400, 413, 422]);

/**
 * The number of tokens as an upstream of the client's protocol says it, else our own count. Channels have circuits of their own
 * here: that one cannot count says nothing of its responses.
 */
export function createTokenCount(dependencies: CountDependencies) {
  const breaker = new Breaker();
  const budget = new RetryBudget();

  async function count(asked: CountCall): Promise<Record<string, unknown>> {
    const { call, protocol, model, body } = asked;
    const { tiers, pinned } = admit(call.caller, model, dependencies.routing);
    const json = (await body.json()) ?? {};
    const request = await finishInTurns(protocol.read(json, model));
    const able = tiers.map((tier) => tier.filter((channel) => countsItself(channel, asked)));
    const native = able.some((tier) => tier.length > 0) ? await askChannels(asked, able, pinned) : undefined;
    return native ?? protocol.write(await countChatRequest(request, dependencies.counter, model));
  }

  /** Undefined when none of them says it. */
  async function askChannels(
    asked: CountCall,
    tiers: Tiers,
    pinned: boolean,
  ): Promise<Record<string, unknown> | undefined> {
    const { call, model, client } = asked;
    const plan = planOf({ tiers, pinned, group: call.caller.group, model }, dependencies);
    const tools = { breaker, budget, client, control: new DeliveryControl(call, client) };
    try {
      return await tryChannels(
        plan,
        tools,
        (channel) => ask(asked, channel),
        // What it says of the channel is for calls that matter to find out; our own mistake is one in any call.
        (channel, error) => {
          if (error.kind === 'bug') dependencies.health.failed(channel, model, error);
        },
      );
    } catch (error) {
      if (!(error instanceof UpstreamError) || isPromptFault(error)) throw error;
      return undefined;
    }
  }

  async function ask(asked: CountCall, channel: RoutedChannel): Promise<Record<string, unknown>> {
    const { call, protocol, model, body, client } = asked;
    const adapter = adapterOf(channel);
    const upstreamModel = upstreamModelOf(channel, model);
    const json = await body.json();
    const built = adapter.buildRequest(
      {
        protocol: protocol.name,
        path: protocol.path,
        query: call.query,
        model: upstreamModel,
        request: { model, stream: false, wantsUsage: false, maxCompletion: undefined, units: {} },
        fields: body.fields,
        body: json,
        headers: usefulOf(call.clientHeaders),
        settings: dependencies.options.modelSettings(),
        now: Date.now(),
      },
      channel,
    );
    const written = built.body && new ObjectBody(built.body);
    if (body.size > longBytes) await written?.prepare();
    const source = written
      ? written.source([])
      : body.source([...built.edits, ...protocol.edits(json ?? {}, upstreamModel)]);
    const response = await askUpstream(
      { channel, adapter, method: 'POST', built, source, limits, client },
      dependencies,
    );
    return readResponse(await response.readAll(maxResponseBytes), protocol, built.readResponse);
  }

  return { count };
}

function countsItself(channel: RoutedChannel, { protocol, model }: CountCall): boolean {
  const adapter = adapterFor(channel.type);
  if (!adapter?.countsTokens) return false;
  return upstreamProtocol(adapter, protocol.name, upstreamModelOf(channel, model), channel) === protocol.name;
}

function adapterOf({ type }: RoutedChannel): ProviderAdapter {
  const adapter = adapterFor(type);
  if (!adapter) throw new Error(`no adapter for type ${type}`);
  return adapter;
}

function isPromptFault({ retryable, status }: UpstreamError): boolean {
  return !retryable && promptFaults.has(status);
}

function readResponse(
  bytes: Buffer,
  protocol: CountProtocol,
  toOwnForm: UpstreamRequest['readResponse'],
): Record<string, unknown> {
  let response: unknown;
  try {
    response = JSON.parse(bytes.toString('utf8'));
    if (toOwnForm) response = toOwnForm(response);
  } catch {
    // Not what the vendor normally returns: it is refused below like any other response without a number.
  }
  if (isJsonObject(response) && protocol.isResponse(response)) return response;
  throw new UpstreamError({
    status: 502,
    code: 'bad_response_body',
    coded: coded('upstream.noTokenCount'),
    kind: 'retry',
  });
}
