import { UpstreamError } from '../../../errors/upstream-error.ts';
import { recordOf, textOf } from '../../../lib/json-value.ts';
import { type TaskStatus, taskStatus } from '../../../schemas/task-status.ts';
import { coded } from '../../../text/coded.ts';
import type { TaskReport } from '../adapter.ts';

const states: ReadonlyMap<string, TaskStatus> = new Map([
  ['NOT_START', taskStatus.notStart],
  ['SUBMITTED', taskStatus.submitted],
  ['IN_PROGRESS', taskStatus.inProgress],
  ['MODAL', taskStatus.modal],
  ['SUCCESS', taskStatus.success],
  ['FAILURE', taskStatus.failure],
  ['CANCEL', taskStatus.failure],
]);

const maxMaskLength = 65_536;

/** Servers that know none of the ids say null. */
export function readDrawings(body: unknown): TaskReport[] {
  if (body === null) return [];
  if (!Array.isArray(body)) {
    throw new UpstreamError({
      status: 502,
      code: 'bad_response_body',
      coded: coded('upstream.noTaskList'),
      kind: 'retry',
    });
  }
  return body.flatMap(readDrawing);
}

/** One task object; nothing for what has no id. */
function readDrawing(value: unknown): TaskReport[] {
  const task = recordOf(value);
  const taskId = typeof task.id === 'number' ? String(task.id) : textOf(task.id);
  if (taskId === '') return [];
  const named = states.get(textOf(task.status));
  const failReason = textOf(task.failReason);
  const status = failReason !== '' && named !== taskStatus.success ? taskStatus.failure : (named ?? taskStatus.unknown);
  const isOver = status === taskStatus.success || status === taskStatus.failure;
  return [
    {
      taskId,
      status,
      progress: isOver ? '100%' : textOf(task.progress) || '0%',
      failReason: status === taskStatus.failure ? failReason : '',
      startTime: seconds(task.startTime),
      finishTime: seconds(task.finishTime),
      data: withoutMask(task),
      ...(task.status === 'CANCEL' && { isCanceled: true }),
    },
  ];
}

/** Some servers repeat the mask that a picture was begun with: kept with each of a hundred rows of a list, it would be too much. */
function withoutMask({ maskBase64, ...task }: Record<string, unknown>): Record<string, unknown> {
  return textOf(maskBase64).length > maxMaskLength
    ? task
    : { ...task, ...(maskBase64 !== undefined && { maskBase64 }) };
}

function seconds(ms: unknown): number {
  return typeof ms === 'number' && ms > 0 ? Math.floor(ms / 1000) : 0;
}
