import { countOf, recordOf, textOf } from '../../lib/json-value.ts';
import type { KnownTask, MadePart, TaskKind } from '../task-kind.ts';
import { readSubmit } from './read-request.ts';

/** Pictures, as clients of midjourney-proxy ask for them. The action is the path behind `/mj/`. */
export const midjourneyTask: TaskKind = {
  platform: 'mj',
  lifeSeconds: 3600,
  read: readSubmit,
  write: writeDrawing,
  made: ({ data }) => madeOf(textOf(recordOf(data).imageUrl)),
};

function madeOf(url: string): MadePart[] {
  return url === '' ? [] : [{ title: '', text: '', tags: '', files: { picture: { url } } }];
}

/** The members of a task object, with what a task has that the vendor never spoke of. */
function writeDrawing(task: KnownTask): Record<string, unknown> {
  const said = recordOf(task.data);
  // 0 and null are a time that had not come yet when the vendor last said something.
  const ms = (name: string, seconds: number) => countOf(said[name]) || seconds * 1000;
  const text = (name: string) => (typeof said[name] === 'string' ? said[name] : '');
  return {
    id: task.task_id,
    action: task.action,
    customId: text('customId'),
    botType: text('botType'),
    prompt: task.input,
    promptEn: text('promptEn'),
    description: text('description'),
    state: text('state'),
    submitTime: ms('submitTime', task.submit_time),
    startTime: ms('startTime', task.start_time),
    finishTime: ms('finishTime', task.finish_time),
    imageUrl: text('imageUrl'),
    status: task.status,
    progress: task.progress || '0%',
    failReason: task.fail_reason,
    buttons: Array.isArray(said.buttons) ? said.buttons : [],
    maskBase64: text('maskBase64'),
    properties: recordOf(said.properties),
    ...(Array.isArray(said.imageUrls) && { imageUrls: said.imageUrls }),
    ...(Array.isArray(said.videoUrls) && { videoUrls: said.videoUrls }),
  };
}
