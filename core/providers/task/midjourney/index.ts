import type { TaskJob } from '../../../canonical/task-job.ts';
import { AppError } from '../../../errors/app-error.ts';
import { classifyUpstream, type ErrorRule } from '../../../errors/classify-upstream.ts';
import { maskReasons } from '../../../errors/mask-reason.ts';
import { maskText } from '../../../errors/mask-text.ts';
import { UpstreamError } from '../../../errors/upstream-error.ts';
import { recordOf, textOf } from '../../../lib/json-value.ts';
import { channelTypeOf } from '../../../schemas/channel-type.ts';
import { taskStatus } from '../../../schemas/task-status.ts';
import { coded } from '../../../text/coded.ts';
import type { ChannelTarget } from '../../adapter.ts';
import { trimSlash, urlSegment } from '../../base-url.ts';
import type { Submitted, TaskAdapter, TaskRequest } from '../adapter.ts';
import { readDrawings } from './read-drawing.ts';

const plusType = 5;
/** Fix the speed of a job; only the newer servers know them. */
const speedMode = /^\/mj-(fast|relax|turbo)\//;

const errors: readonly ErrorRule[] = [{ codes: ['3'], kind: 'dead' }];

/** Midjourney behind midjourney-proxy, channel type 2. */
export const midjourney: TaskAdapter = {
  platform: 'mj',
  maxIds: 100,
  buildSubmit: (job, channel) => post(channel, pathFor(job, channel), job.body),
  readSubmit,
  buildPoll: (ids, channel) => post(channel, '/mj/task/list-by-condition', { ids }),
  readPoll: readDrawings,
  readError: (status, body, headers, context) =>
    classifyUpstream({ status, body: { error: messageOf(body) }, headers }, errors, context),
};

/** The newer servers, channel type 5, which can stop a job as well. */
export const midjourneyPlus: TaskAdapter = {
  ...midjourney,
  cancel: {
    build: (taskId, channel) => post(channel, `/mj/task/${urlSegment(taskId)}/cancel`, {}),
    read: readCancel,
  },
};

/** The seed of a finished picture, asked of the channel that made it. */
export function imageSeedRequest(taskId: string, channel: ChannelTarget): TaskRequest {
  const { headers } = post(channel, '', {});
  return { method: 'GET', url: `${rootOf(channel)}/mj/task/${urlSegment(taskId)}/image-seed`, headers };
}

function post(channel: ChannelTarget, path: string, body: unknown): TaskRequest {
  const headers = { 'content-type': 'application/json', accept: 'application/json', 'mj-api-secret': channel.key };
  return { method: 'POST', url: rootOf(channel) + path, headers, body };
}

function rootOf({ type, base_url }: ChannelTarget): string {
  const root = trimSlash(base_url || (channelTypeOf(type)?.defaultBaseUrl ?? ''));
  if (root === '') throw new AppError('provider.fieldNeeded', { field: 'base_url' });
  return root;
}

function pathFor({ path = '' }: TaskJob, { type }: ChannelTarget): string {
  return type === plusType ? path : path.replace(speedMode, '/');
}

interface Taken extends Pick<Submitted, 'taskId' | 'status' | 'progress'> {
  imageUrl?: string;
}

/** `{ code, description, result, properties }`: what was not taken comes with HTTP 200, too. */
function readSubmit(body: unknown, job: TaskJob, secrets: readonly string[]): Submitted {
  const response = recordOf(body);
  const { code, properties } = response;
  const description = maskText(textOf(response.description), secrets);
  if (code === 3) throw refusal(503, 'dead', description || coded('upstream.noDrawingAccount'), 3);
  if (code === 9 || code === 23) throw refusal(503, 'retry', description || coded('upstream.busy'), code);
  if (code !== 1 && code !== 21 && code !== 22) {
    if (typeof code !== 'number') throw refusal(502, 'retry', coded('upstream.noCode'), 'bad_response_body');
    return {
      taskId: '',
      status: taskStatus.failure,
      progress: '0%',
      data: null,
      response: maskReasons(response, secrets),
      refusal: description || coded('upstream.refusedWith', { code }),
      submitCode: 0,
    };
  }
  const { imageUrl, ...state } = taken(response, job);
  const data = { properties: properties ?? {}, description, ...(imageUrl !== undefined && { imageUrl }) };
  return { ...state, data, response: { ...response, code: codeFor(code, job) }, submitCode: code };
}

function taken({ code, result, properties }: Record<string, unknown>, { action }: TaskJob): Taken {
  const { status, imageUrl } = recordOf(properties);
  // Some servers write ids as numbers; an upload's result is its addresses.
  const taskId = typeof result === 'number' ? String(result) : textOf(result);
  const isDone = (code === 21 && status === 'SUCCESS') || (action === 'UPLOAD' && code === 1);
  if (isDone) {
    const image = typeof imageUrl === 'string' ? { imageUrl } : {};
    return { taskId, status: taskStatus.success, progress: '100%', ...image };
  }
  if (taskId === '') throw refusal(502, 'retry', coded('upstream.noTaskId'), 'bad_response_body');
  return { taskId, status: taskStatus.submitted, progress: '0%' };
}

/** `{ code, description }`; some servers say nothing at all, whether or not they did it. */
function readCancel(body: unknown): boolean {
  const { code, description } = recordOf(body);
  if (code === undefined || code === 1) return code === 1;
  const said = textOf(description) || coded('upstream.notCanceled');
  throw new UpstreamError({ status: 409, kind: 'client', coded: said, code: typeof code === 'number' ? code : null });
}

/** Clients wait for 1; the two that open a window are told so by 21. */
function codeFor(code: number, { action }: TaskJob): number {
  const opensWindow = code === 21 && (action === 'INPAINT' || action === 'CUSTOM_ZOOM');
  return opensWindow ? code : 1;
}

function refusal(status: number, kind: 'dead' | 'retry', said: string, code: string | number): UpstreamError {
  return new UpstreamError({ status, kind, coded: said, code });
}

function messageOf(body: unknown): Record<string, unknown> {
  const { description, code, message } = recordOf(body);
  return { code, message: textOf(description) || textOf(message) };
}
