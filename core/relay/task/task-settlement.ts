import type { Settlement } from '../../billing/settlement.ts';
import type { TaskJob } from '../../canonical/task-job.ts';
import { emptyUsage } from '../../canonical/usage.ts';
import type { Priced } from '../../services/pricing/pricing.ts';
import type { TaskKind } from '../../wire/task-kind.ts';
import type { CallIdentity } from '../call.ts';
import { toSettlement } from '../meter/consumption.ts';
import type { RelayOptions } from '../relay-options.ts';
import type { StartedTask } from './send-task.ts';

interface ChargedTask {
  call: CallIdentity;
  kind: TaskKind;
  job: TaskJob;
  priced: Priced;
  started: StartedTask;
  options: Pick<RelayOptions, 'logConsume' | 'dataExport'>;
  /** Unix seconds. */
  seconds: number;
  /** Of its hold. */
  budgets: string;
}

/** Until a vendor is first asked about a new job. */
const firstLookSeconds = 5;
const maxInput = 4096;

/** The charge of a job that a vendor has taken, with the row that remembers it. */
export function taskSettlement({
  call,
  kind,
  job,
  priced,
  started,
  options,
  seconds,
  budgets,
}: ChargedTask): Settlement {
  const { submitted, served } = started;
  const { taskId, status, progress, data, submitCode } = submitted;
  const settlement = toSettlement({
    call,
    served,
    priced,
    usage: emptyUsage,
    usageSource: 'measured',
    extras: job.extras ?? {},
    flags: [],
    request: { model: job.model, stream: false },
    outcome: 'complete',
    firstTokenAt: undefined,
    now: { seconds, monotonicMs: performance.now() },
    keepLog: options.logConsume(),
    keepUsageData: options.dataExport(),
    budgets,
    more: { task_id: taskId, action: job.action },
  });
  const task = {
    platform: kind.platform,
    task_id: taskId,
    action: job.action,
    model: job.model,
    group: call.caller.group,
    status,
    progress,
    submit_time: seconds,
    next_poll_at: seconds + firstLookSeconds,
    properties: JSON.stringify({
      input: job.input.slice(0, maxInput),
      ...job.shown,
      ...(submitCode !== undefined && { code: submitCode }),
    }),
    data: data === null ? '' : JSON.stringify(data),
    ...(job.notifyUrl !== undefined && { notify_url: job.notifyUrl }),
    channel_key: served.channelKey,
  };
  return { ...settlement, task };
}
