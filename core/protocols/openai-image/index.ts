import type { RelayRequest, RequestFields } from '../../canonical/request.ts';
import type { Usage } from '../../canonical/usage.ts';
import { readAnswerUsage } from '../../wire/openai-chat/usage.ts';
import type { EventReading, Protocol } from '../../wire/protocol.ts';
import { formFields, isRecord, wrong } from '../../wire/request-field.ts';
import { defaultImageModel, parseImage } from './parse.ts';

const answers = {
  defaultModel: defaultImageModel,
  isAnswer: (answer: unknown) => isRecord(answer) && Array.isArray(answer.data),
  readUsage: readImageUsage,
  readText: () => [],
  countPictures: (answer: unknown) => (isRecord(answer) && Array.isArray(answer.data) ? answer.data.length : 0),
  readEvent: readImageEvent,
  terminal: '',
  needsFinish: true,
};

export const openaiImage: Protocol = {
  name: 'openai-image',
  path: '/v1/images/generations',
  body: 'json',
  parse: parseImage,
  ...answers,
};

export const openaiImageEdit: Protocol = {
  name: 'openai-image-edit',
  path: '/v1/images/edits',
  body: 'multipart',
  parse: parseImageEdit,
  ...answers,
};

function parseImageEdit(fields: RequestFields, pathModel?: string): RelayRequest {
  if (!fields.has('image') && !fields.has('image[]')) throw wrong('request.fieldMissing', 'image');
  return parseImage(textKept(fields, ['model', 'prompt', 'size', 'quality']), pathModel);
}

/** Numbers and booleans of a form are read as such, but a prompt of "5" stays a text. */
function textKept(fields: RequestFields, texts: string[]): RequestFields {
  const typed = formFields(fields);
  return { ...typed, value: (key) => (texts.includes(key) ? fields.value(key) : typed.value(key)) };
}

/** Models that draw write nothing but picture tokens; the details are often left out. */
function readImageUsage(answer: unknown): Usage | undefined {
  const usage = readAnswerUsage(answer);
  if (!usage || usage.imageOutput !== undefined) return usage;
  const hasDetails = isRecord(answer) && isRecord(answer.usage) && isRecord(answer.usage.output_tokens_details);
  return hasDetails ? usage : { ...usage, imageOutput: usage.completion };
}

/** `image_generation.partial_image` and `.completed`, the same with `image_edit`; only the last one carries usage. */
function readImageEvent(event: unknown): EventReading {
  const reading: EventReading = { text: '', usage: undefined, usageOnly: false, finished: false, error: undefined };
  if (!isRecord(event)) return reading;
  if (event.error || event.type === 'error') reading.error = event.error || event;
  reading.finished = typeof event.type === 'string' && event.type.endsWith('.completed');
  if (reading.finished) reading.usage = readImageUsage(event);
  return reading;
}
