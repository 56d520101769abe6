import { countOf, recordOf, recordsOf, textOf } from '../../../lib/json-value.ts';
import { type TaskStatus, taskStatus } from '../../../schemas/task-status.ts';
import type { TaskReport } from '../adapter.ts';

const states: ReadonlySet<string> = new Set(Object.values(taskStatus));

/** The states of single clips; the one that is furthest back decides for their task. */
const clipStates: ReadonlyMap<string, TaskStatus> = new Map([
  ['submitted', taskStatus.submitted],
  ['queued', taskStatus.queued],
  ['streaming', taskStatus.inProgress],
  ['complete', taskStatus.success],
  ['error', taskStatus.failure],
  ['unknown', taskStatus.failure],
]);
const order = [
  ...[taskStatus.failure, taskStatus.unknown, taskStatus.submitted, taskStatus.queued],
  ...[taskStatus.inProgress, taskStatus.success],
];

/** A task as Suno-API tells it; nothing for what has no id. */
export function readTask(value: unknown): TaskReport[] {
  const task = recordOf(value);
  const taskId = textOf(task.task_id);
  if (taskId === '') return [];
  const failReason = textOf(task.fail_reason);
  const status = failReason === '' ? stateOf(task) : taskStatus.failure;
  const isOver = status === taskStatus.success || status === taskStatus.failure;
  return [
    {
      taskId,
      status,
      progress: isOver ? '100%' : textOf(task.progress) || '0%',
      failReason,
      startTime: countOf(task.start_time) ?? 0,
      finishTime: countOf(task.finish_time) ?? 0,
      data: task.data ?? null,
    },
  ];
}

function stateOf(task: Record<string, unknown>): TaskStatus {
  const named = textOf(task.status).toUpperCase();
  if (named !== '' && states.has(named)) return named as TaskStatus;
  // A word that is not known says nothing of a failure: what is being made must not be paid back.
  const clips = recordsOf(task.data).map(({ status }) => clipStates.get(textOf(status)) ?? taskStatus.unknown);
  return order.find((state) => clips.includes(state)) ?? taskStatus.unknown;
}
