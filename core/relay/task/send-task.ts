import type { TaskJob } from '../../canonical/task-job.ts';
import { AppError } from '../../errors/app-error.ts';
import { UpstreamError } from '../../errors/upstream-error.ts';
import { type StartedCall, UpstreamFailure } from '../../integrations/outbound/upstream-client.ts';
import { recordOf } from '../../lib/json-value.ts';
import { maxTaskId, type Submitted } from '../../providers/task/adapter.ts';
import { taskAdapterFor } from '../../providers/task/registry.ts';
import { ownUserAgent } from '../../providers/user-agent.ts';
import type { RoutedChannel } from '../../services/routing.ts';
import { coded } from '../../text/coded.ts';
import { type AttemptTurn, tryChannels } from '../attempt/attempt.ts';
import type { AttemptPlan } from '../attempt/attempt-plan.ts';
import type { Breaker } from '../attempt/breaker.ts';
import { toUpstreamError } from '../attempt/failure.ts';
import { RetryBudget } from '../attempt/retry-budget.ts';
import { errorContext, parseOrText } from '../attempt/upstream-refusal.ts';
import { type AttemptNote, noteOf, type RelayBody, type Served, servedBy } from '../call.ts';
import type { ClientWriter } from '../deliver/client-writer.ts';
import type { DeliveryControl } from '../deliver/delivery.ts';
import type { RelayDependencies } from '../run.ts';
import type { AttemptTrace, CallTrace, ResponseFacts } from '../telemetry/trace.ts';

/** A job that a vendor has taken. */
export interface StartedTask {
  submitted: Submitted;
  served: Served;
  /** Set for a job that the vendor did not take, in a response that says that all is well. */
  refusal?: UpstreamError;
}

/** The channel whose upstream was asked to take a job and did not say whether it has; 0 = none. */
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
  /** Filled as channels are tried. */
  attempts: AttemptNote[];
  trace?: CallTrace | undefined;
}

type SenderDependencies = Pick<RelayDependencies, 'upstream' | 'options' | 'health' | 'limits'> & { breaker: Breaker };

/** Vendors take their time to accept a job. */
const limits = { headersMs: 150_000, idleMs: 60_000, totalMs: 180_000 };
const maxResponseBytes = 1024 * 1024;
const badBody = 'bad_response_body';
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
    const { plan, client, control, attempts, trace } = sending;
    return tryChannels(
      plan,
      { breaker, budget, client, control, attempts, trace },
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
      if (sending.control.stoppedBy || (error instanceof UpstreamError && error.mayBeDone))
        sending.pending.id = channel.id;
      throw error;
    });
    traced?.served({ kind: 'complete' }, noFacts);
    const refusal = refusalOf(submitted);
    // It is the call that was wrong, and no other channel is asked: only the figures hear of it.
    if (refusal) health.failed(channel, sending.job.model, refusal);
    const outcome = refusal ? String(refusal.code) : 'ok';
    attempts.push(noteOf(channel, outcome, Math.round(performance.now() - startedAt)));
    const served = servedBy(channel, upstreamModel, attempts);
    return { submitted, served, ...(refusal && { refusal }) };
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
    const { status: given, headers: told, body: said } = await responseTo(call, traced);
    const context = errorContext({ channel, options });
    if (isGood(given)) return read(() => adapter.readSubmit(said, job, context.secrets ?? []), said);
    const status = channel.statusMapping.get(given) ?? given;
    const error = adapter.readError(status, said, told, context);
    error.mayBeDone = gatewayTimeouts.has(given);
    throw error;
  }

  return send;
}

const nothing = Buffer.alloc(0);
const isGood = (status: number) => status >= 200 && status <= 299;

/** Of a server in front of the vendor, which may still be at it. */
const gatewayTimeouts: ReadonlySet<number> = new Set([504, 524]);

async function responseTo(call: StartedCall, traced: AttemptTrace | undefined) {
  try {
    const response = await call.response;
    traced?.responded(response.status);
    const { status, headers } = response;
    // A refusal is one without its words, too.
    const wordless = (error: unknown) => (isGood(status) ? Promise.reject(error) : nothing);
    const bytes = await response.readAll(maxResponseBytes).catch(wordless);
    return { status, headers, body: parseOrText(bytes.toString('utf8')) };
  } catch (error) {
    throw error instanceof UpstreamFailure && !error.sentNothing ? unanswered(error) : error;
  }
}

/** The request is out, and nothing was said of the job. */
function unanswered(failure: UpstreamFailure): UpstreamError {
  const { status, code, silent } = toUpstreamError(failure);
  const reason = coded('upstream.jobUnknown', { reason: failure.coded });
  const error = new UpstreamError({ status, code, silent, coded: reason, kind: 'retry', cause: failure });
  error.mayBeDone = true;
  return error;
}

/** A vendor that says in JSON that all is well has taken the job, even when its id cannot be read. */
function read(submitted: () => Submitted, body: unknown): Submitted {
  try {
    return withUsableId(submitted());
  } catch (error) {
    if (error instanceof UpstreamError && error.code === badBody) error.mayBeDone = typeof body !== 'string';
    throw error;
  }
}

/** What a vendor says no to in a response with status 200, as a drawing with a banned word; its code where it has one. */
function refusalOf({ refusal, response }: Submitted): UpstreamError | undefined {
  if (refusal === undefined) return undefined;
  const { code } = recordOf(response);
  return new UpstreamError({
    status: 200,
    kind: 'client',
    code: typeof code === 'number' || typeof code === 'string' ? code : 'refused',
    coded: refusal,
  });
}

/** A job that could not be asked about by its id would be charged for nothing. */
function withUsableId(submitted: Submitted): Submitted {
  const { taskId } = submitted;
  if (taskId.length <= maxTaskId && !/[\p{Cc}\p{Cs}]/u.test(taskId)) return submitted;
  throw new UpstreamError({
    status: 502,
    kind: 'retry',
    code: badBody,
    coded: coded('upstream.badTaskId'),
  });
}
