import type { TaskJob } from '../../../canonical/task-job.ts';
import { AppError } from '../../../errors/app-error.ts';
import { maskReasons } from '../../../errors/mask-reason.ts';
import { UpstreamError } from '../../../errors/upstream-error.ts';
import { recordOf, recordsOf, textOf } from '../../../lib/json-value.ts';
import { type TaskStatus, taskStatus } from '../../../schemas/task-status.ts';
import { coded } from '../../../text/coded.ts';
import type { ChannelTarget } from '../../adapter.ts';
import { joinUrl, urlSegment } from '../../base-url.ts';
import { typeFacts } from '../../type-fact.ts';
import { zhipuV4 } from '../../zhipu/index.ts';
import type { Submitted, TaskAdapter, TaskReport } from '../adapter.ts';

const { defaultBaseUrl } = typeFacts(26);

const states: ReadonlyMap<string, TaskStatus> = new Map([
  ['PROCESSING', taskStatus.inProgress],
  ['SUCCESS', taskStatus.success],
  ['FAIL', taskStatus.failure],
]);

/** CogVideoX and the other video models of Zhipu, channel type 26 (vendor's page `videos/generations`). */
export const zhipuVideo: TaskAdapter = {
  platform: 'video',
  maxIds: 1,
  buildSubmit: (job, channel, model) => ({
    method: 'POST',
    url: urlOf(channel, '/videos/generations'),
    headers: headersOf(channel),
    body: bodyOf(job, model),
  }),
  readSubmit,
  buildPoll: ([taskId = ''], channel) => ({
    method: 'GET',
    url: urlOf(channel, `/async-result/${urlSegment(taskId)}`),
    headers: headersOf(channel),
  }),
  // The response does not repeat the id.
  readPoll: (body, [taskId = '']) => [readResult(body, taskId)],
  buildContent({ data, variant }) {
    const [first] = recordsOf(recordOf(data).video_result);
    const url = textOf(variant === 'thumbnail' ? first?.cover_image_url : first?.url);
    if (url === '') throw new AppError('task.fileUnreadable');
    return { request: { method: 'GET', url, headers: {} }, isPublic: true };
  },
  readError: zhipuV4.readError,
};

function urlOf({ base_url }: ChannelTarget, path: string): string {
  const base = base_url || defaultBaseUrl;
  return base.endsWith('/paas/v4') ? base + path : joinUrl(base, `/api/paas/v4${path}`);
}

function headersOf({ key }: ChannelTarget): Record<string, string> {
  return { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
}

function bodyOf({ body, isForm }: TaskJob, model: string): Record<string, unknown> {
  const { prompt, size, seconds, input_reference: picture } = body;
  // A file in a form is bytes that this vendor takes as an address or base64 only.
  if (isForm && picture !== undefined)
    throw new AppError('provider.fieldNotOffered', { provider: 'Zhipu', field: 'input_reference' });
  const address = textOf(recordOf(picture).image_url);
  return {
    model,
    prompt,
    size,
    ...(seconds !== undefined && { duration: Number(seconds) }),
    ...(address !== '' && { image_url: address }),
  };
}

function readSubmit(given: unknown, _job: TaskJob, secrets: readonly string[]): Submitted {
  const isFailed = recordOf(given).task_status === 'FAIL';
  const body = isFailed ? maskReasons(given, secrets) : given;
  const { id, task_status } = recordOf(body);
  const status = states.get(textOf(task_status));
  if (textOf(id) === '' || !status) throw badResponse();
  // Failed at once, such as by a filter: it is never asked about again.
  const refusal = reasonOf(body) || coded('task.unexplained');
  const task = { taskId: textOf(id), status, progress: '0%', data: body, response: undefined };
  return { ...task, ...(isFailed && { refusal }) };
}

function readResult(body: unknown, taskId: string): TaskReport {
  const result = recordOf(body);
  const status = states.get(textOf(result.task_status));
  if (!status) throw badResponse();
  const isOver = status !== taskStatus.inProgress;
  return {
    taskId,
    status,
    data: result,
    startTime: 0,
    finishTime: 0,
    progress: isOver ? '100%' : '0%',
    failReason: status === taskStatus.failure ? reasonOf(result) : '',
  };
}

const reasonOf = (result: unknown) => textOf(recordOf(recordOf(result).error).message);

function badResponse(): UpstreamError {
  return new UpstreamError({
    status: 502,
    code: 'bad_response_body',
    coded: coded('upstream.noTaskState'),
    kind: 'retry',
  });
}
