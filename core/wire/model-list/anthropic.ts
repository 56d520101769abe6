import { wrong } from '../request-field.ts';

/** One model as Anthropic's `GET /v1/models` lists it. */
export interface AnthropicModel {
  type: 'model';
  id: string;
  display_name: string;
  created_at: string;
}

export interface AnthropicModelPage {
  data: AnthropicModel[];
  has_more: boolean;
  first_id: string | null;
  last_id: string | null;
}

const defaultLimit = 20;
const maxModels = 1000;
/** What Anthropic itself says where the day of a release is not known. */
const unknownDay = '1970-01-01T00:00:00Z';

export function anthropicModel(id: string): AnthropicModel {
  return { type: 'model', id, display_name: id, created_at: unknownDay };
}

/** A page of the sorted names. A name that has gone since the last page was read still marks its place. */
export function anthropicModelPage(ids: readonly string[], query: URLSearchParams): AnthropicModelPage {
  const limit = readLimit(query.get('limit'));
  const after = query.get('after_id');
  const before = query.get('before_id');
  const left = ids.filter((id) => (after === null || id > after) && (before === null || id < before));
  const page = before !== null && after === null ? left.slice(-limit) : left.slice(0, limit);
  return {
    data: page.map(anthropicModel),
    has_more: left.length > page.length,
    first_id: page[0] ?? null,
    last_id: page.at(-1) ?? null,
  };
}

function readLimit(text: string | null): number {
  if (text === null) return defaultLimit;
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > maxModels) throw wrong('request.notInteger', 'limit', { minimum: 1, maximum: maxModels });
  return limit;
}
