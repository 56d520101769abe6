import { isJsonObject } from '../../lib/json-value.ts';
import type { Protocol } from '../protocol.ts';
import { defaultImageModel, parseImage, parseImageEdit } from './read-request.ts';
import { imageDocumentEvents, readImageEvent } from './read-stream.ts';
import { readImageUsage } from './usage.ts';

const responses = {
  defaultModel: defaultImageModel,
  isResponse: (response: unknown) => isJsonObject(response) && Array.isArray(response.data),
  readUsage: readImageUsage,
  readText: () => [],
  pictureMember: 'data',
  readEvent: readImageEvent,
  terminal: '',
  needsFinish: true,
};

export const openaiImage: Protocol = {
  name: 'openai-image',
  path: '/v1/images/generations',
  body: 'json',
  parse: parseImage,
  documentChunks: (document) => imageDocumentEvents(document, 'image_generation.completed'),
  ...responses,
};

export const openaiImageEdit: Protocol = {
  name: 'openai-image-edit',
  path: '/v1/images/edits',
  body: 'multipart',
  parse: parseImageEdit,
  documentChunks: (document) => imageDocumentEvents(document, 'image_edit.completed'),
  ...responses,
};
