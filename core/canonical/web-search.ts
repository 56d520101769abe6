import { isJsonObject, type JsonObject, recordOf } from '../lib/json-value.ts';
import type { ChatProtocol, HostedTool } from './chat-request.ts';

/** A search of the web, which every vendor's models can be offered, each in words of its own. */
export interface WebSearch {
  /** City, region, country and time zone, as far as the client told them. */
  place?: JsonObject;
  /** How much of what is found the model gets to read: low, medium or high. */
  contextSize?: string;
  allowedDomains?: string[];
  blockedDomains?: string[];
  maxUses?: number;
  /** What else the client said of it, in its own words. */
  others: string[];
}

/** The options a writer has a place for. */
export type SearchOption = Exclude<keyof WebSearch, 'others'>;

/** How the protocols spell each option, for losses. */
const spellings: Record<SearchOption, Partial<Record<ChatProtocol, string>>> = {
  place: {},
  contextSize: {},
  allowedDomains: { 'openai-responses': 'filters.allowed_domains' },
  blockedDomains: { 'openai-responses': 'filters.blocked_domains' },
  maxUses: {},
};
const names: Record<SearchOption, string> = {
  place: 'user_location',
  contextSize: 'search_context_size',
  allowedDomains: 'allowed_domains',
  blockedDomains: 'blocked_domains',
  maxUses: 'max_uses',
};
const placeFields = ['city', 'region', 'country', 'timezone'];
/** What says which tool it is, and what is read into an option. */
const read: ReadonlySet<string> = new Set(['type', 'name', 'filters', ...Object.values(names)]);

/** Undefined for every other tool that an upstream runs. */
export function webSearchOf({ type, raw }: HostedTool, origin: ChatProtocol): WebSearch | undefined {
  if (origin === 'gemini') {
    if (!/^google_?search(_?retrieval)?$/i.test(type)) return undefined;
    return { others: Object.keys(recordOf(raw[type])) };
  }
  if (!/^web_search/.test(type)) return undefined;
  const filters = recordOf(raw.filters);
  const lists = { ...raw, ...filters };
  const place = placeOf(raw.user_location);
  const allowedDomains = textsOf(lists.allowed_domains);
  const blockedDomains = textsOf(lists.blocked_domains);
  const { search_context_size: size, max_uses: maxUses } = raw;
  return {
    ...(place && { place }),
    ...(typeof size === 'string' && { contextSize: size }),
    ...(allowedDomains && { allowedDomains }),
    ...(blockedDomains && { blockedDomains }),
    ...(typeof maxUses === 'number' && { maxUses }),
    others: Object.keys(raw).filter((key) => !read.has(key) && raw[key] !== null),
  };
}

/** The options, as the client spells them, that are given and not among those a writer has said. */
export function unsaidOptions(search: WebSearch, origin: ChatProtocol, said: readonly SearchOption[]): string[] {
  const given = (Object.keys(names) as SearchOption[]).filter((option) => search[option] !== undefined);
  const unsaid = given.filter((option) => !said.includes(option));
  return [...unsaid.map((option) => spellings[option][origin] ?? names[option]), ...search.others];
}

/** OpenAI's chat form has it one level deeper. */
function placeOf(given: unknown): JsonObject | undefined {
  if (!isJsonObject(given)) return undefined;
  const { approximate, ...flat } = given;
  const told = { ...flat, ...recordOf(approximate) };
  const place = Object.fromEntries(
    placeFields.flatMap((field) => (typeof told[field] === 'string' ? [[field, told[field]]] : [])),
  );
  return Object.keys(place).length > 0 ? place : undefined;
}

function textsOf(given: unknown): string[] | undefined {
  const texts = Array.isArray(given) ? given.filter((one) => typeof one === 'string') : [];
  return texts.length > 0 ? texts : undefined;
}
