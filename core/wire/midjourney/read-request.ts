import type { TaskJob } from '../../canonical/task-job.ts';
import { AppError } from '../../errors/app-error.ts';
import type { JsonObject } from '../../lib/json-value.ts';
import { readNotifyUrl } from '../notify-url.ts';
import type { TaskSettings } from '../task-kind.ts';
import { actionOfButton } from './custom-id.ts';

type Read = Pick<TaskJob, 'action' | 'follows'> & { isLater?: boolean; body?: JsonObject };

const maxPictures = 5;
const changes = ['UPSCALE', 'VARIATION', 'REROLL'];

/** By the path behind `/mj/`. */
const readers: Readonly<Record<string, (body: JsonObject) => Read>> = {
  'submit/imagine': (body) => {
    requireText(body, 'prompt');
    readPictures(body, 0);
    return { action: 'IMAGINE' };
  },
  'submit/change': (body) => {
    const action = requireText(body, 'action').toUpperCase();
    if (!changes.includes(action))
      throw new AppError('request.notOneOf', { field: 'action', allowed: changes.join(', ') });
    if (action !== 'REROLL') requireIndex(body);
    return { action, follows: requireText(body, 'taskId') };
  },
  'submit/simple-change': readSimpleChange,
  'submit/describe': (body) => {
    if (!isText(body.link)) requireText(body, 'base64');
    return { action: 'DESCRIBE' };
  },
  'submit/blend': (body) => {
    readPictures(body, 2);
    return { action: 'BLEND' };
  },
  'submit/action': (body) => {
    const customId = requireText(body, 'customId');
    const action = actionOfButton(customId);
    if (!action)
      throw new AppError('task.unknownAction', { action: customId.slice(0, 80), allowed: 'the customId of a button' });
    return { action, follows: requireText(body, 'taskId') };
  },
  // What a window asks for that an earlier action opened; the picture it belongs to is not there yet.
  'submit/modal': (body) => ({ action: 'MODAL', follows: requireText(body, 'taskId'), isLater: true }),
  'submit/shorten': (body) => {
    requireText(body, 'prompt');
    return { action: 'SHORTEN' };
  },
  'submit/upload-discord-images': (body) => {
    readPictures(body, 1);
    return { action: 'UPLOAD' };
  },
  'insight-face/swap': (body) => {
    requireText(body, 'sourceBase64');
    requireText(body, 'targetBase64');
    return { action: 'SWAP_FACE' };
  },
};

export const submitPaths: readonly string[] = Object.keys(readers);

/** A job as it is posted to one of `submitPaths`; `prefix` is what is before `/mj/`: nothing, or a mode. */
export function readSubmit(path: string, given: JsonObject, { drawing }: TaskSettings, prefix: string): TaskJob {
  const read = readers[path];
  if (!read) throw new AppError('task.unknownAction', { action: path.slice(0, 80), allowed: submitPaths.join(', ') });
  const { action, follows, isLater, body = given } = read(given);
  const { accountFilter, notifyHook, ...rest } = body;
  const sent: JsonObject = {
    ...rest,
    ...(accountFilter !== undefined && drawing.passesAccountFilter && { accountFilter }),
    ...(notifyHook !== undefined && drawing.passesNotifyHook && { notifyHook }),
  };
  // An upstream that is given the address calls it itself.
  const notifyUrl = drawing.passesNotifyHook ? '' : readNotifyUrl(notifyHook, 'notifyHook');
  if (typeof sent.prompt === 'string' && drawing.clearsMode)
    sent.prompt = sent.prompt.replace(/--(fast|relax|turbo)/g, '');
  return {
    action,
    model: action === 'SWAP_FACE' ? 'swap_face' : `mj_${action.toLowerCase()}`,
    body: sent,
    path: `${prefix}/mj/${path === 'submit/simple-change' ? 'submit/change' : path}`,
    input: isText(given.prompt) ? given.prompt : '',
    ...(notifyUrl !== '' && { notifyUrl }),
    ...(follows !== undefined && { follows, followsSuccess: drawing.checksSuccess && !isLater }),
  };
}

/** `1700000000000123 U2`, in any case: upscale, vary, or draw again. */
function readSimpleChange(body: JsonObject): Read {
  const [taskId = '', change = ''] = requireText(body, 'content').trim().split(/\s+/);
  const [, letter, index] = /^(?:([UV])([1-4])|R)$/i.exec(change) ?? [];
  if (taskId === '' || !/^([UV][1-4]|R)$/i.test(change))
    throw new AppError('task.changeWrong', {}, { param: 'content' });
  const { content: _content, ...rest } = body;
  const action = letter === undefined ? 'REROLL' : letter.toUpperCase() === 'U' ? 'UPSCALE' : 'VARIATION';
  return {
    action,
    follows: taskId,
    body: { ...rest, taskId, action, ...(index !== undefined && { index: Number(index) }) },
  };
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function requireText(body: JsonObject, field: string): string {
  const value = body[field];
  if (value === undefined || value === null || value === '')
    throw new AppError('request.fieldMissing', { field }, { param: field });
  if (typeof value !== 'string') throw new AppError('request.notText', { field }, { param: field });
  return value;
}

function requireIndex({ index }: JsonObject): void {
  if (index === 1 || index === 2 || index === 3 || index === 4) return;
  throw new AppError('request.notInteger', { field: 'index', minimum: 1, maximum: 4 }, { param: 'index' });
}

function readPictures({ base64Array }: JsonObject, minimum: number): void {
  if (base64Array === undefined || base64Array === null) {
    if (minimum === 0) return;
    throw new AppError('request.fieldMissing', { field: 'base64Array' }, { param: 'base64Array' });
  }
  const isList = Array.isArray(base64Array) && base64Array.every((picture) => typeof picture === 'string');
  if (!isList) throw new AppError('request.notList', { field: 'base64Array' }, { param: 'base64Array' });
  if (base64Array.length >= minimum && base64Array.length <= maxPictures) return;
  throw new AppError('task.pictureCount', { minimum, maximum: maxPictures }, { param: 'base64Array' });
}
