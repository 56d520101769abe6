import type { TaskJob } from '../../canonical/task-job.ts';
import { AppError } from '../../errors/app-error.ts';
import { UpstreamError } from '../../errors/upstream-error.ts';
import { maxTaskId, type Submitted } from '../../providers/task/adapter.ts';
import { taskAdapterFor } from '../../providers/task/registry.ts';
import { ownUserAgent } from '../../providers/user-agent.ts';
import type { RoutedChannel } from '../../services/routing.ts';
import { coded } from '../../text/coded.ts';
import { type AttemptTurn, tryChannels } from '../attempt/attempt.ts';
import type { AttemptPlan } from '../attempt/attempt-plan.ts';
import type { Breaker } from '../attempt/breaker.ts';
import { RetryBudget } from '../attempt/retry-budget.ts';
import { errorContext, parseOrText } from '../attempt/upstream-refusal.ts';
import { noteOf, type RelayBody, type Served, servedBy } from '../call.ts';
import type { ClientWriter } from '../deliver/client-writer.ts';
import type { DeliveryControl } from '../deliver/delivery.ts';
import type { RelayDependencies } from '../run.ts';
import type { AttemptTrace, CallTrace, ResponseFacts } from '../telemetry/trace.ts';

/** A job that a vendor has taken. */
export interface StartedTask {
  submitted: Submitted;
  served: Served;
}

/** The channel whose upstream was being asked to take a job when the call was ended; 0 = none. */
export interface PendingChannel {
  id: number;
}

interface TaskSending {
  job: TaskJob;
  body: Pick<RelayBody, 'source'>;
  plan: AttemptPlan;
  client: ClientWriter;
  control: DeliveryControl;
  pending: PendingChannel;
  trace?: CallTrace | undefined;
}

type SenderDependencies = Pick<RelayDependencies, 'upstream' | 'options' | 'health' | 'limits'> & { breaker: Breaker };

/** Vendors take their time to accept a job. */
const limits = { headersMs: 150_000, idleMs: 60_000, totalMs: 180_000 };
const maxResponseBytes = 1024 * 1024;
/** A job that has just begun has no response yet. */
const noFacts: ResponseFacts = {
  usage: undefined,
  responseId: undefined,
  responseModel: undefined,
  finishReasons: '',
  contentAt: undefined,
};

/** Asks one vendor after another to take a job, as for any other call. Throws the last one's UpstreamError. */
export function createTaskSender({ upstream, options, health, limits: { proxy }, breaker }: SenderDependencies) {
  const budget = new RetryBudget();

  function send(sending: TaskSending): Promise<StartedTask> {
    const { plan, client, control, trace } = sending;
    return tryChannels(
      plan,
      { breaker, budget, client, control, trace },
      (channel, turn) => submit(sending, channel, turn),
      (channel, error) => health.failed(channel, sending.job.model, error),
    );
  }

  async function submit(sending: TaskSending, channel: RoutedChannel, { attempts }: AttemptTurn): Promise<StartedTask> {
    const startedAt = performance.now();
    const upstreamModel = sending.plan.upstreamModel(channel);
    // A client that leaves meanwhile has bought a job anyway, once the vendor has taken it.
    const traced = sending.trace?.attempt(channel);
    const submitted = await ask(sending, channel, upstreamModel, traced).catch((error: unknown) => {
      traced?.failed(error, sending.client.gone);
      if (sending.control.stoppedBy) sending.pending.id = channel.id;
      throw error;
    });
    traced?.served({ kind: 'complete' }, noFacts);
    attempts.push(noteOf(channel, 'ok', Math.round(performance.now() - startedAt)));
    const served = servedBy(channel, upstreamModel, attempts);
    return { submitted, served };
  }

  async function ask(
    { job, body: form, control }: TaskSending,
    channel: RoutedChannel,
    model: string,
    traced: AttemptTrace | undefined,
  ): Promise<Submitted> {
    const adapter = taskAdapterFor(channel.type);
    if (!adapter) throw new AppError('provider.unknown', { type: channel.type });
    const { url, method, headers, body, edits } = adapter.buildSubmit(job, channel, model);
    const source = edits && form.source(edits);
    const request = {
      url,
      method,
      limits,
      headers: {
        ...headers,
        ...(source && { 'content-type': source.contentType, 'content-length': String(source.length) }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...ownUserAgent(channel),
      },
      body: source?.open() ?? (body === undefined ? null : Buffer.from(JSON.stringify(body))),
      privateAllowed: channel.privateAllowed,
      proxy: channel.setting.proxy || proxy,
    };
    traced?.sending(request, model);
    const call = upstream.start(request);
    control.attach(() => call.abort());
    const response = await call.response;
    traced?.responded(response.status);
    const text = (await response.readAll(maxResponseBytes)).toString('utf8');
    const context = errorContext({ channel, options });
    if (response.status >= 200 && response.status <= 299)
      return withUsableId(adapter.readSubmit(parseOrText(text), job, context.secrets ?? []));
    const status = channel.statusMapping.get(response.status) ?? response.status;
    throw adapter.readError(status, parseOrText(text), response.headers, context);
  }

  return send;
}

/** A job that could not be asked about by its id would be charged for nothing. */
function withUsableId(submitted: Submitted): Submitted {
  const { taskId } = submitted;
  if (taskId.length <= maxTaskId && !/[\p{Cc}\p{Cs}]/u.test(taskId)) return submitted;
  throw new UpstreamError({
    status: 502,
    kind: 'retry',
    code: 'bad_response_body',
    coded: coded('upstream.badTaskId'),
  });
}
