import { recordOf } from '../lib/json-value.ts';
import type { UpstreamCall } from './adapter.ts';
import type { BodyEdits } from './body-edit.ts';

/** Reasoning models of OpenAI: they know only the newer token limit. */
const reasoningModel = /^(o\d|gpt-5)/;
/** Of these, the o series refuses sampling other than the default. */
const fixedSampling = /^o\d/;
const samplingFields = ['temperature', 'top_p', 'presence_penalty', 'frequency_penalty'];
const effortSuffix = /^(o\d.*)-(low|medium|high)$/;

/** Applies what OpenAI's models ask by name, and returns the name without an effort suffix (`o3-mini-high`). */
export function applyModelRules(edits: BodyEdits, call: UpstreamCall): string {
  const isResponses = call.protocol === 'openai-responses';
  if (call.protocol !== 'openai-chat' && !isResponses) return call.model;
  const { model, effort } = splitEffort(call.model, effortSuffix);
  if (effort && isResponses) edits.set('reasoning', { ...recordOf(call.fields.value('reasoning')), effort });
  else if (effort) edits.set('reasoning_effort', effort);
  if (reasoningModel.test(model) && !isResponses) edits.rename('max_tokens', 'max_completion_tokens');
  if (fixedSampling.test(model)) for (const field of samplingFields) edits.drop(field);
  return model;
}

/** Splits the effort off a model's name; `pattern` has the name and the effort as its two groups. */
export function splitEffort(model: string, pattern: RegExp): { model: string; effort: string | undefined } {
  const match = pattern.exec(model);
  return { model: match?.[1] ?? model, effort: match?.[2] };
}
