import { priceQuota } from '../../billing/price.ts';
import type { Settlement } from '../../billing/settlement.ts';
import type { TaskJob } from '../../canonical/task-job.ts';
import { emptyUsage } from '../../canonical/usage.ts';
import { AppError } from '../../errors/app-error.ts';
import type { Priced } from '../../services/pricing/pricing.ts';
import type { TaskStore } from '../../services/task/store.ts';
import { wordsIn } from '../../text/text.ts';
import type { TaskKind } from '../../wire/task-kind.ts';
import type { Breaker } from '../attempt/breaker.ts';
import { type AttemptNote, aside, type CallIdentity, type RelayBody, type RelayCall, unsettled } from '../call.ts';
import { ClientWriter } from '../deliver/client-writer.ts';
import { DeliveryControl, RunningCalls } from '../deliver/delivery.ts';
import { jsonHeaders, writeError } from '../deliver/respond.ts';
import type { CallPass } from '../limit/call-pass.ts';
import { drainCalls } from '../limit/drain.ts';
import { LimitError } from '../limit/limit-error.ts';
import { Charge } from '../meter/charge.ts';
import { modelAtDoor } from '../request/model-at-door.ts';
import type { RelayDependencies } from '../run.ts';
import { routeTask } from './route-task.ts';
import { createTaskSender, type PendingChannel, type StartedTask } from './send-task.ts';
import { taskSettlement } from './task-settlement.ts';

/** A new job on its way: everything of a relay call but a protocol. */
export interface TaskCall extends Omit<RelayCall, 'protocol'> {
  kind: TaskKind;
  /** As the path says it, and what is before this kind's own path. */
  action: string;
  prefix?: string;
}

interface TaskCallDependencies extends RelayDependencies {
  breaker: Breaker;
  tasks: Pick<TaskStore, 'owned' | 'noteRefused'>;
  /** Of a call that was ended while a channel's upstream was asked to take its job: it may have taken it anyway. */
  reportUnknownJob(call: CallIdentity, channel: number): void;
}

export interface TaskCalls {
  /** Never rejects. */
  serve(call: TaskCall): Promise<void>;
  inFlight(): number;
  /** Refuses new jobs; resolves when those on their way are charged or refused, at the latest after `limitMs`. */
  drain(limitMs: number): Promise<void>;
}

/** Starts paid jobs: held before the vendor is asked, charged together with the row that remembers the job. */
export function createTaskCalls(dependencies: TaskCallDependencies): TaskCalls {
  const { ledger, limits, overload, callLimits, sensitiveWords, pricing, report, nowSeconds, options } = dependencies;
  const { telemetry, routing } = dependencies;
  const send = createTaskSender(dependencies);
  const running = new RunningCalls();
  let draining = false;

  async function serve(call: TaskCall): Promise<void> {
    const client = new ClientWriter(call.outgoing, call.headers, limits.writeMs);
    const identity: CallIdentity = { ...call, protocol: { name: call.kind.platform } };
    if (telemetry) identity.trace = telemetry.begin(identity);
    const { trace } = identity;
    const control = new DeliveryControl(identity, client);
    let body: RelayBody | undefined;
    let charge: Charge | undefined;
    let pass: CallPass | undefined;
    let isCharged = false;
    let model = '';
    const pending: PendingChannel = { id: 0 };
    const attempts: AttemptNote[] = [];
    running.add(control);
    try {
      if (draining) throw new AppError('relay.draining', {}, { retryAfterSeconds: 1 });
      overload.check();
      pass = await callLimits.enter(call.id, call.caller);
      body = await control.whileWanted(Promise.resolve(call.readBody()), disposeLate);
      overload.checkMemory();
      const { job, plan } = await routeTask(call, await readJob(call, body), dependencies);
      model = job.model;
      const { priced, amount } = quote(job, call);
      trace?.enter('hold');
      const asked = { id: call.id, owner: call.caller, model, tokens: { prompt: 0, completion: 0 } };
      pass = (await callLimits.admit(asked, pass)) ?? pass;
      const budgets = callLimits.budgets(call.caller, model);
      const held = await Charge.take(ledger, call.id, call.caller, amount, budgets);
      trace?.leave({ 'tollgate.quota.held': amount }, held instanceof Charge ? undefined : `${held}_quota`);
      if (!(held instanceof Charge)) {
        if (held === 'budget') pass?.takeBack();
        throw await dependencies.refusal(identity, { by: held, needed: amount, model, budgets });
      }
      charge = held;
      await sensitiveWords.check(body);
      const started = await send({ job, plan, body, client, control, pending, attempts, trace });
      // The vendor works from here on: the job is charged and remembered even when its client has left.
      const settlement = taskSettlement({
        call: identity,
        kind: call.kind,
        job,
        priced,
        started,
        options,
        seconds: nowSeconds(),
        budgets,
      });
      trace?.enter('settle');
      const { refusal } = started;
      if (refusal === undefined) await charge.settle(settlement);
      else await refused(charge, settlement, refusal.coded);
      isCharged = refusal === undefined;
      trace?.leave({ 'tollgate.quota': isCharged ? settlement.actual : 0 });
      const bytes = Buffer.from(JSON.stringify(responseOf(call, job, started, nowSeconds())));
      client.respond(200, jsonHeaders(call.id, bytes.length), bytes);
      const { channelId: channel } = started.served;
      const summary = { ...unsettled, model, channel, status: 200, attempts };
      if (refusal) report(identity, summary, refusal);
      else report(identity, { ...summary, quota: amount, outcome: 'complete' }, undefined);
    } catch (error) {
      if (pending.id !== 0) dependencies.reportUnknownJob(identity, pending.id);
      await charge?.release().catch((cause: unknown) => report(identity, aside, cause));
      if (error instanceof LimitError && !body) {
        const wait = (reading: Promise<RelayBody>) => control.whileWanted(reading, disposeLate);
        const modelOf = async (read: RelayBody) => (await readJob(call, read)).model;
        model = await modelAtDoor(call, { routing, wait, modelOf });
      }
      report(identity, { ...unsettled, model, status: writeError(call, client, error), attempts }, error);
    } finally {
      running.remove(control);
      pass?.end(isCharged);
      const disposing = body?.dispose();
      if (disposing) await disposing.catch((cause: unknown) => report(identity, aside, cause));
    }
  }

  /** The vendor said no in its own way: free of charge, and kept for its user to see. */
  async function refused(charge: Charge, settlement: Settlement, reason: string): Promise<void> {
    await charge.release();
    if (settlement.task) await dependencies.tasks.noteRefused(settlement, settlement.task, reason);
  }

  async function readJob(call: TaskCall, body: RelayBody): Promise<TaskJob> {
    const json = await body.json();
    const form = json ? undefined : formOf(body, call.kind.formFields ?? []);
    return call.kind.read(call.action, json ?? form ?? {}, options.tasks(), call.prefix ?? '', form !== undefined);
  }

  function quote({ model, extras = {} }: TaskJob, { caller }: TaskCall): { priced: Priced; amount: number } {
    const priced = pricing.findJob(model, caller.group);
    return { priced, amount: priceQuota(priced.prepared, emptyUsage, extras) };
  }

  async function drain(limitMs: number): Promise<void> {
    draining = true;
    await drainCalls(running, limitMs);
  }

  return { serve, inFlight: () => running.size, drain };
}

function disposeLate(body: RelayBody): void {
  // The file lies in a folder that is swept.
  body.dispose()?.catch(() => undefined);
}

function formOf({ fields }: RelayBody, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.filter((name) => fields.has(name)).map((name) => [name, fields.value(name) ?? '']));
}

/** As the vendor said it, or as this kind writes a job that has just begun. */
function responseOf({ kind, language }: TaskCall, job: TaskJob, { submitted }: StartedTask, now: number): unknown {
  const { response, taskId: task_id, status, progress, data, refusal = '' } = submitted;
  if (response !== undefined) return response;
  const { action, model, input } = job;
  const times = { submit_time: now, start_time: 0, finish_time: 0 };
  const properties = { input, ...job.shown };
  return kind.write({
    task_id,
    action,
    model,
    input,
    properties,
    status,
    progress,
    data,
    ...times,
    fail_reason: wordsIn(language, refusal),
  });
}
