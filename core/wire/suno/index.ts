import type { TaskJob } from '../../canonical/task-job.ts';
import { AppError } from '../../errors/app-error.ts';
import { type JsonObject, recordOf, recordsOf, textOf } from '../../lib/json-value.ts';
import { readNotifyUrl } from '../notify-url.ts';
import type { MadePart, TaskKind } from '../task-kind.ts';

const defaultVersion = 'chirp-v3-0';

/** Songs and lyrics, as Suno-API's clients ask for them. */
export const sunoTask: TaskKind = {
  platform: 'suno',
  lifeSeconds: 24 * 3600,
  read: (action, body) => readJob(action, body),
  write({ task_id, action, status, fail_reason, submit_time, start_time, finish_time, progress, data }) {
    return { task_id, action, status, fail_reason, submit_time, start_time, finish_time, progress, data };
  },
  made: ({ data }) => (Array.isArray(data) ? recordsOf(data) : [recordOf(data)]).flatMap(madeOf),
};

/** A clip with its sound, or lyrics alone; nothing while there is neither. */
function madeOf(clip: JsonObject): MadePart[] {
  const { prompt, tags } = recordOf(clip.metadata);
  const picture = textOf(clip.image_large_url) || textOf(clip.image_url);
  const addresses = { picture, audio: textOf(clip.audio_url), video: textOf(clip.video_url) };
  const named = Object.entries(addresses).filter(([, url]) => url !== '');
  const text = textOf(clip.text) || textOf(prompt);
  if (named.length === 0 && text === '') return [];
  const files = Object.fromEntries(named.map(([kind, url]) => [kind, { url }]));
  return [{ title: textOf(clip.title), text, tags: textOf(tags), files }];
}

function readJob(given: string, { notify_hook, ...body }: Record<string, unknown>): TaskJob {
  const action = given.toUpperCase();
  if (action !== 'MUSIC' && action !== 'LYRICS') {
    throw new AppError('task.unknownAction', { action: given.slice(0, 40), allowed: 'music, lyrics' });
  }
  const prompt = readText(body, 'prompt');
  const idea = readText(body, 'gpt_description_prompt');
  if (action === 'LYRICS' && prompt === '') throw missing('prompt');
  const follows = readText(body, 'task_id');
  const followsClip = readText(body, 'continue_clip_id');
  if (followsClip !== '' && follows === '') throw missing('task_id');
  const notifyUrl = readNotifyUrl(notify_hook, 'notify_hook');
  const sent =
    action === 'LYRICS'
      ? { prompt }
      : { ...body, mv: readText(body, 'mv') || defaultVersion, make_instrumental: body.make_instrumental === true };
  return {
    action,
    model: `suno_${action.toLowerCase()}`,
    body: sent,
    input: idea || prompt,
    ...(notifyUrl !== '' && { notifyUrl }),
    ...(follows !== '' && { follows }),
    ...(followsClip !== '' && action === 'MUSIC' && { followsClip }),
  };
}

function readText(body: Record<string, unknown>, field: string): string {
  const value = body[field];
  if (value === undefined || value === null) return '';
  if (typeof value !== 'string') throw new AppError('request.notText', { field }, { param: field });
  return value;
}

function missing(field: string): AppError {
  return new AppError('request.fieldMissing', { field }, { param: field });
}
