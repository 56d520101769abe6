import { isRecord } from '../../lib/json-value.ts';
import type { Protocol } from '../protocol.ts';
import { defaultImageModel, parseImage, parseImageEdit } from './read-request.ts';
import { readImageEvent } from './read-stream.ts';
import { readImageUsage } from './usage.ts';

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
