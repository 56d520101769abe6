import type { TaskJob, TaskUnits } from '../../canonical/task-job.ts';
import { AppError } from '../../errors/app-error.ts';
import { recordOf, textOf } from '../../lib/json-value.ts';
import { taskStatus } from '../../schemas/task-status.ts';
import { largeVideoFactor, pricedVideo } from '../../schemas/video-price.ts';
import { misspelled } from '../billed-field.ts';
import { notOffered } from '../request-field.ts';
import type { KnownTask, MadePart, TaskKind } from '../task-kind.ts';

const defaultModel = 'sora-2';
const defaultSeconds = 4;
const maxSeconds = 60;
const defaultSize = '720x1280';
/** How a form names a member of an object. */
const fileInForm = 'input_reference[file_id]';

/** Videos, as OpenAI's clients ask for them. A price is one second at 1280x720. */
export const videoTask: TaskKind = {
  platform: 'video',
  lifeSeconds: 24 * 3600,
  formFields: ['model', 'prompt', 'seconds', 'duration', 'size', 'input_reference', fileInForm],
  read: (_action, body, _settings, _prefix, isForm) => readJob(body, isForm),
  write: writeVideo,
  made: ({ status }) => (status === taskStatus.success ? [video] : []),
};

/** It lies at the channel that made it. */
const video: MadePart = { title: '', text: '', tags: '', files: { video: { variant: '' } } };

function readJob(body: Record<string, unknown>, isForm: boolean): TaskJob {
  // Files of the account at the upstream are no customer's of ours.
  if (typeof recordOf(body.input_reference).file_id === 'string' || body[fileInForm] !== undefined)
    throw notOffered('input_reference.file_id');
  const prompt = readText(body, 'prompt');
  if (prompt === '') throw new AppError('request.fieldMissing', { field: 'prompt' }, { param: 'prompt' });
  const seconds = readLength(body);
  const size = readText(body, 'size') || defaultSize;
  return {
    action: 'VIDEO',
    model: readText(body, 'model') || defaultModel,
    body: { ...body, seconds: String(seconds), size },
    input: prompt,
    extras: priceUnits(seconds, size),
    shown: { seconds: String(seconds), size },
    ...(isForm && { isForm }),
  };
}

function priceUnits(seconds: number, size: string): TaskUnits {
  const [, width, height] = /^(\d{2,4})x(\d{2,4})$/.exec(size) ?? [];
  if (!width || !height) throw new AppError('task.videoSize', {}, { param: 'size' });
  const isLarge = Number(width) * Number(height) > pricedVideo.width * pricedVideo.height;
  return { calls: seconds, ...(isLarge && { imageFactor: largeVideoFactor }) };
}

/** Some servers read the length under another name as well: it is paid, and only one thing may be said. */
function readLength(body: Record<string, unknown>): number {
  const [seconds, duration] = [readSeconds(body, 'seconds'), readSeconds(body, 'duration')];
  if (seconds !== undefined && duration !== undefined && seconds !== duration) throw misspelled('duration', 'seconds');
  return seconds ?? duration ?? defaultSeconds;
}

/** A number, or one as text as OpenAI has it. */
function readSeconds(body: Record<string, unknown>, field: string): number | undefined {
  const value = body[field];
  if (value === undefined || value === null || value === '') return undefined;
  const seconds = typeof value === 'string' ? Number(value) : value;
  if (typeof seconds === 'number' && Number.isInteger(seconds) && seconds >= 1 && seconds <= maxSeconds) return seconds;
  throw new AppError('request.notInteger', { field, minimum: 1, maximum: maxSeconds }, { param: field });
}

function readText(body: Record<string, unknown>, field: string): string {
  const value = body[field];
  if (value === undefined || value === null) return '';
  if (typeof value !== 'string') throw new AppError('request.notText', { field }, { param: field });
  return value;
}

const states: Readonly<Record<string, string>> = {
  [taskStatus.success]: 'completed',
  [taskStatus.failure]: 'failed',
  [taskStatus.inProgress]: 'in_progress',
};

function writeVideo(task: KnownTask): Record<string, unknown> {
  const said = recordOf(task.data);
  const isFailed = task.status === taskStatus.failure;
  return {
    id: task.task_id,
    object: 'video',
    model: task.model,
    status: states[task.status] ?? 'queued',
    progress: Number.parseInt(task.progress, 10) || 0,
    created_at: task.submit_time,
    // One that was done at once has no time of its own.
    completed_at: task.status === taskStatus.success ? task.finish_time || task.submit_time : null,
    expires_at: typeof said.expires_at === 'number' ? said.expires_at : null,
    prompt: task.input,
    seconds: textOf(task.properties.seconds),
    size: textOf(task.properties.size),
    remixed_from_video_id: null,
    error: isFailed
      ? { code: textOf(recordOf(said.error).code) || 'video_generation_failed', message: task.fail_reason }
      : null,
  };
}
