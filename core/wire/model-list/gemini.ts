import { wrong } from '../request-field.ts';

/** One model as Google's `GET /v1beta/models` lists it. How much it reads and writes is left out: only its vendor knows. */
export interface ListedGeminiModel {
  name: string;
  baseModelId: string;
  version: string;
  displayName: string;
  description: string;
  supportedGenerationMethods: readonly string[];
}

export interface GeminiModelPage {
  models: ListedGeminiModel[];
  nextPageToken?: string;
}

const defaultPageSize = 50;
const largestPageSize = 1000;
const chatMethods = ['generateContent', 'streamGenerateContent', 'countTokens'];
const embeddingMethods = ['embedContent', 'batchEmbedContents'];

export function geminiModel(id: string): ListedGeminiModel {
  return {
    name: `models/${id}`,
    baseModelId: id,
    version: '001',
    displayName: id,
    description: '',
    supportedGenerationMethods: /embed/i.test(id) ? embeddingMethods : chatMethods,
  };
}

/** A page of the sorted names; the token is the last name of the page before. */
export function geminiModelPage(ids: readonly string[], query: URLSearchParams): GeminiModelPage {
  const size = readPageSize(query.get('pageSize') ?? query.get('page_size'));
  const after = readPageToken(query.get('pageToken') ?? query.get('page_token'));
  const left = after === '' ? ids : ids.filter((id) => id > after);
  const page = left.slice(0, size);
  const last = page.at(-1);
  const more = left.length > page.length && last !== undefined;
  return { models: page.map(geminiModel), ...(more && { nextPageToken: Buffer.from(last).toString('base64url') }) };
}

/** Google gives its usual page for 0 and its largest for whatever is beyond. */
function readPageSize(text: string | null): number {
  if (text === null || text === '' || text === '0') return defaultPageSize;
  if (!/^\d{1,9}$/.test(text)) throw wrong('request.notInteger', 'pageSize', { minimum: 1, maximum: largestPageSize });
  return Math.min(Number(text), largestPageSize);
}

function readPageToken(token: string | null): string {
  if (!token) return '';
  const name = Buffer.from(token, 'base64url').toString('utf8');
  if (Buffer.from(name).toString('base64url') !== token) throw wrong('request.pageToken', 'pageToken');
  return name;
}
