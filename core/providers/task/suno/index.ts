import type { TaskJob } from '../../../canonical/task-job.ts';
import { AppError } from '../../../errors/app-error.ts';
import { classifyUpstream } from '../../../errors/classify-upstream.ts';
import { maskText } from '../../../errors/mask-text.ts';
import { UpstreamError } from '../../../errors/upstream-error.ts';
import { recordOf, textOf } from '../../../lib/json-value.ts';
import { taskStatus } from '../../../schemas/task-status.ts';
import { coded, type DetailKey } from '../../../text/coded.ts';
import type { ChannelTarget } from '../../adapter.ts';
import { trimSlash } from '../../base-url.ts';
import type { Submitted, TaskAdapter, TaskRequest } from '../adapter.ts';
import { readTask } from './read-task.ts';

/** Suno behind a Suno-API server, channel type 36. */
export const suno: TaskAdapter = {
  platform: 'suno',
  maxIds: 50,
  buildSubmit: (job, channel) => call(channel, `/suno/submit/${job.action}`, job.body),
  readSubmit,
  buildPoll: (ids, channel) => call(channel, '/suno/fetch', { ids }),
  readPoll(body) {
    const { data } = success(body);
    if (!Array.isArray(data)) throw notAResponse('upstream.noTaskList');
    return data.flatMap(readTask);
  },
  readError: (status, body, headers, context) =>
    classifyUpstream({ status, body: { error: recordOf(body) }, headers }, [], context),
};

function call({ base_url, key }: ChannelTarget, path: string, body: unknown): TaskRequest {
  if (base_url === '') throw new AppError('provider.fieldNeeded', { field: 'base_url' });
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  return { method: 'POST', url: trimSlash(base_url) + path, headers, body };
}

function readSubmit(body: unknown, _job: TaskJob, secrets: readonly string[]): Submitted {
  const { data } = success(body, secrets);
  const taskId = textOf(data);
  if (taskId === '') throw notAResponse('upstream.noTaskId');
  return { taskId, status: taskStatus.notStart, progress: '0%', data: null, response: body };
}

/** Refusals come with HTTP 200, too. */
function success(body: unknown, secrets: readonly string[] = []): Record<string, unknown> {
  const response = recordOf(body);
  if (response.code === 'success') return response;
  const said = maskText(textOf(response.message), secrets) || coded('upstream.taskRefused');
  throw new UpstreamError({
    status: 500,
    code: textOf(response.code) || 'fail_to_fetch_task',
    coded: said,
    kind: 'retry',
  });
}

function notAResponse(key: DetailKey): UpstreamError {
  return new UpstreamError({
    status: 502,
    code: 'bad_response_body',
    coded: coded(key),
    kind: 'retry',
  });
}
