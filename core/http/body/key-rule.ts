import { promptSchemas, promptWords } from '../../canonical/prompt-members.ts';
import { isDisguised } from '../../lib/disguised-key.ts';
import type { JsonKeyRule } from '../../lib/json-scan.ts';

const unlimited = Number.POSITIVE_INFINITY;
const manyItems = 10_000;
const manyTools = 1000;

/** What a model reads, so what the hold is estimated from. */
const promptRule: JsonKeyRule = {
  isForbidden: false,
  countsStrings: true,
  countsKeys: false,
  maxCount: unlimited,
};
const listRule: JsonKeyRule = { ...promptRule, maxCount: manyItems };
/** Schemas spend tokens on their property names too. */
const schemaRule: JsonKeyRule = { ...promptRule, countsKeys: true, maxCount: manyTools };
const otherRule: JsonKeyRule = { ...promptRule, countsStrings: false };
const forbiddenRule: JsonKeyRule = { ...otherRule, isForbidden: true };

const rules = new Map<string, JsonKeyRule>([
  ...[...promptWords].map((member): [string, JsonKeyRule] => [member, promptRule]),
  ...[...promptSchemas].map((member): [string, JsonKeyRule] => [member, schemaRule]),
  ['messages', listRule],
  ['contents', listRule],
  ['documents', listRule],
  // In no spelling that Google has.
  ['generationconfig', forbiddenRule],
  ['__proto__', forbiddenRule],
  ['constructor', forbiddenRule],
  ['prototype', forbiddenRule],
]);

/** Keys that decide the price. */
const billedKeys = new Set([
  'model',
  'messages',
  'prompt',
  'input',
  'documents',
  'stream',
  'stream_options',
  'max_tokens',
  'max_completion_tokens',
  'max_output_tokens',
  'n',
  'best_of',
  'group',
  'batch_size',
  'size',
  'image_size',
  'quality',
  'seconds',
  'duration',
  'service_tier',
  'generationConfig',
  'generationconfig',
  'generation_config',
  'thinking',
  'thinking_budget',
  'reasoning',
  'web_search_options',
  'search_parameters',
  'fallbacks',
  'models',
  // Not the price, but whose things are read.
  'background',
  'tools',
  'conversation',
  'container',
  'previous_response_id',
  'thread',
]);

// Found in one look like the rest: nearly every key of a call is one of these.
for (const key of [...billedKeys, 'temperature', 'top_p', 'stop', 'user'])
  if (!rules.has(key)) rules.set(key, otherRule);

/** A name of a form that some servers read as another value of such a key: `n[]`, `model[0]`. */
export function isBilledAside(name: string): boolean {
  const bracket = name.indexOf('[');
  return bracket > 0 && billedKeys.has(name.slice(0, bracket));
}

export function keyRuleFor(key: string): JsonKeyRule {
  return rules.get(key) ?? (isDisguised(key, billedKeys) ? forbiddenRule : otherRule);
}
