import type { RelayRequest, RequestFields } from '../../canonical/request.ts';
import { misspelled } from '../billed-field.ts';
import {
  formFields,
  maxChoices,
  notOffered,
  readBoolean,
  readInteger,
  readModel,
  readText,
  refuseFields,
  wrong,
} from '../request-field.ts';

/** What OpenAI takes when a client names none. */
export const defaultImageModel = 'dall-e-2';

/** Sizes of the models that are priced by size; all others know their own. */
const sizesByModel: Record<string, readonly string[]> = {
  'dall-e': ['256x256', '512x512', '1024x1024'],
  'dall-e-2': ['256x256', '512x512', '1024x1024'],
  'dall-e-3': ['1024x1024', '1024x1792', '1792x1024'],
};

export function parseImage(fields: RequestFields, pathModel?: string): RelayRequest {
  const model = readModel(fields, pathModel, defaultImageModel);
  if (!fields.has('prompt')) throw wrong('request.fieldMissing', 'prompt');
  const prompt = readText(fields, 'prompt', 65_536);
  if (prompt === undefined) throw wrong('request.notText', 'prompt');
  if (prompt === '') throw wrong('request.fieldEmpty', 'prompt');
  refuseAuthor(fields);
  const count = readCount(fields);
  const size = readSize(fields, model);
  const quality = readText(fields, 'quality', 32) ?? 'standard';
  readInteger(fields, 'partial_images', 0, 3);
  return {
    model,
    stream: readBoolean(fields, 'stream'),
    wantsUsage: false,
    maxCompletion: undefined,
    units: { images: { count, size, quality } },
  };
}

/** A drawing in lines is written by a model of text, which is neither paid here nor one that the key may use. */
function refuseAuthor(fields: RequestFields): void {
  refuseFields(fields, ['svg', 'svg[model]']);
  if (fields.has('output_format') && fields.value('output_format') === 'svg') throw notOffered('output_format: svg');
}

export function parseImageEdit(fields: RequestFields, pathModel?: string): RelayRequest {
  if (!fields.has('image') && !fields.has('image[]')) throw wrong('request.fieldMissing', 'image');
  return parseImage(textKept(fields, ['model', 'prompt', 'size', 'quality', 'output_format']), pathModel);
}

/** Numbers and booleans of a form are read as such, but a prompt of "5" stays a text. */
function textKept(fields: RequestFields, texts: string[]): RequestFields {
  const typed = formFields(fields);
  return { ...typed, value: (key) => (texts.includes(key) ? fields.value(key) : typed.value(key)) };
}

/** SiliconCloud has names of its own for number and size, and draws by them: what they say is paid, and only one thing may be said. */
function readCount(fields: RequestFields): number {
  const [count, batch] = ['n', 'batch_size'].map((key) => readInteger(fields, key, 1, maxChoices));
  if (count !== undefined && batch !== undefined && count !== batch) throw misspelled('batch_size', 'n');
  return count ?? batch ?? 1;
}

function readSize(fields: RequestFields, model: string): string {
  const [named, other] = [readText(fields, 'size', 32), fields.value('image_size')];
  // Elsewhere it is an object, or a resolution such as 2K.
  const alias = typeof other === 'string' && /^\d{1,5}x\d{1,5}$/.test(other) ? other : undefined;
  if (named && alias && named !== alias) throw misspelled('image_size', 'size');
  const size = named || alias || '1024x1024';
  const allowed = Object.hasOwn(sizesByModel, model) ? sizesByModel[model] : undefined;
  if (allowed && !allowed.includes(size)) throw wrong('request.notOneOf', 'size', { allowed: allowed.join(', ') });
  // The multiplication sign is a common typo that upstreams reject with an unrelated error.
  if (!/^[\w:*.-]+$/.test(size)) throw wrong('request.notOneOf', 'size', { allowed: 'auto, 1024x1024, ...' });
  return size;
}
