import type { BodyEdit } from '../../../canonical/body-edit.ts';
import type { TaskJob } from '../../../canonical/task-job.ts';
import { AppError } from '../../../errors/app-error.ts';
import { classifyUpstream } from '../../../errors/classify-upstream.ts';
import { maskReasons } from '../../../errors/mask-reason.ts';
import { UpstreamError } from '../../../errors/upstream-error.ts';
import { countOf, recordOf, textOf } from '../../../lib/json-value.ts';
import { type TaskStatus, taskStatus } from '../../../schemas/task-status.ts';
import { coded } from '../../../text/coded.ts';
import type { ChannelTarget } from '../../adapter.ts';
import { joinUrl, urlSegment } from '../../base-url.ts';
import { typeFacts } from '../../type-fact.ts';
import type { Submitted, TaskAdapter, TaskReport, TaskRequest } from '../adapter.ts';

const { defaultBaseUrl } = typeFacts(1);

const states: ReadonlyMap<string, TaskStatus> = new Map([
  ['queued', taskStatus.queued],
  ['in_progress', taskStatus.inProgress],
  ['completed', taskStatus.success],
  ['failed', taskStatus.failure],
]);

/** Videos of OpenAI and of servers that have its `/v1/videos`, channel type 1. */
export const openaiVideo: TaskAdapter = {
  platform: 'video',
  maxIds: 1,
  buildSubmit: (job, channel, model) => ({
    method: 'POST',
    url: urlOf(channel, '/v1/videos'),
    headers: headersOf(channel),
    // A form goes on as it came, with the picture that is in it; what it costs is said even where the client did not.
    ...(job.isForm ? { edits: paidFields({ ...job.body, model }) } : { body: { ...job.body, model } }),
  }),
  readSubmit,
  buildPoll: ([taskId = ''], channel) => ({
    method: 'GET',
    url: urlOf(channel, `/v1/videos/${urlSegment(taskId)}`),
    headers: headersOf(channel),
  }),
  readPoll: (body) => [readVideo(body)],
  buildContent({ taskId, variant }, channel) {
    const query = variant === '' ? '' : `?variant=${encodeURIComponent(variant)}`;
    const url = urlOf(channel, `/v1/videos/${urlSegment(taskId)}/content${query}`);
    return { request: { method: 'GET', url, headers: headersOf(channel) }, isPublic: false };
  },
  buildDelete,
  // There is no call of its own for it; a server may refuse to delete a video before it is finished, and says so.
  cancel: { build: buildDelete, read: (body) => recordOf(body).deleted === true },
  readError: (status, body, headers, context) => classifyUpstream({ status, body, headers }, [], context),
};

const paidFields = (body: TaskJob['body']): BodyEdit[] =>
  ['model', 'seconds', 'size'].map((set) => ({ set, raw: JSON.stringify(body[set]) }));

function buildDelete(taskId: string, channel: ChannelTarget): TaskRequest {
  return { method: 'DELETE', url: urlOf(channel, `/v1/videos/${urlSegment(taskId)}`), headers: headersOf(channel) };
}

function urlOf({ base_url }: ChannelTarget, path: string): string {
  return joinUrl(base_url || defaultBaseUrl, path);
}

function headersOf({ key, openai_organization: organization }: ChannelTarget): Record<string, string> {
  return { authorization: `Bearer ${key}`, ...(organization !== '' && { 'openai-organization': organization }) };
}

function readSubmit(given: unknown, _job: TaskJob, secrets: readonly string[]): Submitted {
  const body = recordOf(given).status === 'failed' ? maskReasons(given, secrets) : given;
  const { taskId, status, progress, data, failReason } = readVideo(body);
  // Failed at once, such as by a filter: it is never asked about again.
  const refusal = failReason || coded('task.unexplained');
  return { taskId, status, progress, data, response: body, ...(status === taskStatus.failure && { refusal }) };
}

function readVideo(body: unknown): TaskReport {
  const video = recordOf(body);
  const taskId = textOf(video.id);
  const said = textOf(video.status);
  if (taskId === '' || said === '') throw notAVideo();
  // What is not known is no end: a job that was taken is paid, and asked about again.
  const status = states.get(said) ?? taskStatus.unknown;
  const isOver = status === taskStatus.success || status === taskStatus.failure;
  const { code, message } = recordOf(video.error);
  const reason = [textOf(code), textOf(message)].filter(Boolean).join(': ');
  return {
    taskId,
    status,
    data: video,
    progress: isOver ? '100%' : `${percentOf(video.progress)}%`,
    failReason: status === taskStatus.failure ? reason : '',
    startTime: 0,
    finishTime: countOf(video.completed_at) ?? 0,
  };
}

/** Some servers count in fractions. */
function percentOf(progress: unknown): number {
  return typeof progress === 'number' && progress > 0 ? Math.min(99, Math.floor(progress)) : 0;
}

function notAVideo(): UpstreamError {
  const cause = new AppError('provider.badAnswer', { what: 'id, status' });
  return new UpstreamError({ status: 502, code: 'bad_response_body', coded: cause.coded, kind: 'retry', cause });
}
