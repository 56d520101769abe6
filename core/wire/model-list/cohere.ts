import { wrong } from '../request-field.ts';

/** One model as Cohere's `GET /v1/models` lists it. */
export interface CohereModel {
  name: string;
  endpoints: string[];
}

export interface CohereModelPage {
  models: CohereModel[];
  next_page_token?: string;
}

const defaultPageSize = 20;
const largestPageSize = 1000;

export function cohereModel(name: string): CohereModel {
  return { name, endpoints: [endpointOf(name)] };
}

/** A page of the sorted names, of one endpoint if the caller names it. The token is the last name of the page before. */
export function cohereModelPage(ids: readonly string[], query: URLSearchParams): CohereModelPage {
  const size = readPageSize(query.get('page_size'));
  const after = query.get('page_token');
  const endpoint = query.get('endpoint');
  const left = ids
    .filter((id) => after === null || id > after)
    .map(cohereModel)
    .filter(({ endpoints }) => endpoint === null || endpoints.includes(endpoint));
  const models = left.slice(0, size);
  const last = models.at(-1);
  return { models, ...(last && left.length > size && { next_page_token: last.name }) };
}

/** No list says what a model serves; its name usually does. */
function endpointOf(name: string): string {
  if (/rerank/i.test(name)) return 'rerank';
  return /embed/i.test(name) ? 'embed' : 'chat';
}

function readPageSize(text: string | null): number {
  if (text === null) return defaultPageSize;
  const size = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (size < 1 || size > largestPageSize)
    throw wrong('request.notInteger', 'page_size', { minimum: 1, maximum: largestPageSize });
  return size;
}
