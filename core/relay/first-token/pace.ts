import type { RequestFields } from '../../canonical/request.ts';
import { isJsonObject } from '../../lib/json-value.ts';
import type { RoutedChannel } from '../../services/routing.ts';
import { modelRule } from '../../wire/anthropic-messages/model-rule.ts';
import { geminiModel } from '../../wire/gemini/model-rule.ts';
import type { ReadCall } from '../call.ts';
import { respondsInText } from '../meter/estimate.ts';
import { upstreamModelOf } from '../request/outgoing-call.ts';
import type { CallPace } from './limit.ts';

/** Reading a prompt of so many tokens may take as long as everything else until the first token. */
const loadTokens = 20_000;
const shortTokens = 2000;

/** Models that reason, search or draw before their first word; Claude and Gemini have rules of their own. */
const slowModel = new RegExp(
  [
    '^(o\\d|gpt-5|gpt-oss|codex)|deepseek-r|-r1\\b|reason|think|deep-research|search|-image',
    '^(qwq|qwen3|magistral|grok-(3-mini|[4-9])|glm-(4\\.[5-9]|[5-9]|z1)|minimax-m|hunyuan-t|ernie-x|doubao-seed|kimi-k([2-9]\\.|[3-9]))',
  ].join('|'),
);
/** Of these families, those that do not. */
const quickModel = /non-?(reason|think)|no-?think|-instruct|-chat\b|coder/;
const maxKnown = 1000;
const known = new Map<string, boolean>();

/** What the first token of a call depends on. */
export interface MeasuredPace extends CallPace {
  /** What its time is compared with: the same model at the same address, with or without reasoning. */
  key: string;
}

type PacedCall = Pick<ReadCall, 'request' | 'promptEstimate'> & {
  call: Pick<ReadCall['call'], 'protocol'>;
  body: Pick<ReadCall['body'], 'fields'>;
};

/**
 * Undefined for a call without a first token: one that is not streamed, and one for audio or images, whose time depends on their
 * length. A channel whose address or type changes starts without samples; with a new API key it keeps them.
 */
export function paceOf(run: PacedCall, channel: RoutedChannel): MeasuredPace | undefined {
  if (!run.request.stream || !respondsInText(run.call.protocol)) return undefined;
  const model = upstreamModelOf(channel, run.request.model);
  const reasons = run.request.thinking !== undefined || isReasoningModel(model) || asksReasoning(run.body.fields);
  const load = run.promptEstimate <= shortTokens ? 1 : 1 + run.promptEstimate / loadTokens;
  return { key: `${channel.id} ${channel.type} ${channel.base_url} ${reasons ? 1 : 0} ${model}`, reasons, load };
}

/** By its name alone, whatever cloud or reseller spells it. */
export function isReasoningModel(model: string): boolean {
  const found = known.get(model);
  if (found !== undefined) return found;
  const isOne = looksReasoning(model.slice(model.lastIndexOf('/') + 1).toLowerCase());
  if (known.size >= maxKnown) known.clear();
  known.set(model, isOne);
  return isOne;
}

function looksReasoning(name: string): boolean {
  if (quickModel.test(name)) return false;
  if (slowModel.test(name)) return true;
  if (name.includes('gemini-')) return geminiModel(name).thinks;
  if (!name.includes('claude-')) return false;
  const { thinking, canDisable } = modelRule(name);
  return thinking !== 'none' && canDisable !== 'yes';
}

/** In the spellings of vendors that no price depends on, which the protocols therefore do not read. */
function asksReasoning(fields: RequestFields): boolean {
  if (readable(fields, 'enable_thinking') === true) return true;
  const [thinking, reasoning] = [readable(fields, 'thinking'), readable(fields, 'reasoning')];
  if (isJsonObject(thinking) && thinking.type !== 'disabled') return true;
  return isJsonObject(reasoning) && reasoning.effort !== 'none' && reasoning.enabled !== false;
}

function readable(fields: RequestFields, key: string): unknown {
  return fields.has(key) && !fields.isLarge?.(key) ? fields.value(key) : undefined;
}
