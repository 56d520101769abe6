import type { ChatRequest, ReasoningWish } from '../../canonical/chat-request.ts';
import { clientField } from '../../canonical/client-field.ts';
import { clampEffort, type Effort, effortOf, efforts } from '../../canonical/effort.ts';
import type { Losses } from '../../canonical/loss.ts';
import type { JsonObject } from '../../lib/json-value.ts';
import type { ModelRule } from './model-rule.ts';
import { protocolName } from './protocol-name.ts';
import { lacksSignedThinking } from './signed-thinking.ts';

export type ThinkingKind = 'off' | 'budget' | 'adaptive';

export interface WrittenThinking {
  kind: ThinkingKind;
  /** `thinking`, where it has to be said. */
  fields: JsonObject;
  effort?: Effort;
  /** Raised where thinking would leave no room for a response. */
  maxTokens: number;
}

interface ThinkingWriting {
  rule: ModelRule;
  losses: Losses;
  /** The model is made to call a tool. */
  isForced: boolean;
  maxTokens: number;
}

/** The minimum that Anthropic accepts. */
export const minBudget = 1024;
/** Share of the output that an effort may think with, on models that know budgets alone. */
const shares: Record<Effort, number> = { minimal: 0, low: 0, medium: 0.5, high: 0.8, xhigh: 0.8, max: 0.8 };

export function writeThinking(request: ChatRequest, writing: ThinkingWriting): WrittenThinking {
  const { origin, reasoning } = request;
  const { rule, losses, maxTokens } = writing;
  const emulate = () => losses.emulate(clientField(origin, 'reasoning'));
  if (!reasoning) return { kind: 'off', fields: {}, maxTokens };
  const off: WrittenThinking = { kind: 'off', fields: {}, maxTokens, ...spokenEffort(request, writing) };
  // Anthropic's own clients may ask for an effort without thinking.
  if (origin === protocolName && reasoning.mode === 'effort') return off;
  if (reasoning.mode === 'off') return switchOff(rule, off, emulate);
  if (rule.thinking === 'none') {
    losses.drop(clientField(origin, 'reasoning'));
    return off;
  }
  // A forced tool and thinking exclude each other: the tool is what the response is made of.
  const excludes = writing.isForced && rule.forcedTool === 'notWhileThinking';
  if (excludes) {
    losses.drop(clientField(origin, 'reasoning'));
    return off;
  }
  const wantsBudget = rule.thinking === 'budget' || (rule.thinking === 'both' && reasoning.mode === 'budget');
  if (!wantsBudget) return adaptive(reasoning, writing, emulate);
  // With a budget the model expects its own thinking before the tool calls whose results it gets.
  if (lacksSignedThinking(request.messages)) {
    losses.drop(clientField(origin, 'reasoning'));
    return off;
  }
  return { ...off, ...byBudget(reasoning, writing, emulate) };
}

/** The effort that a client of the same protocol says beside its kind of thinking. */
function spokenEffort({ origin, reasoning }: ChatRequest, { rule, losses }: ThinkingWriting): { effort?: Effort } {
  const effort = efforts.find((known) => known === reasoning?.effort);
  if (origin !== protocolName || !effort) return {};
  if (rule.efforts.length === 0) {
    losses.drop('output_config.effort');
    return {};
  }
  return { effort: clampEffort(effort, rule.efforts) };
}

function switchOff(rule: ModelRule, off: WrittenThinking, emulate: () => void): WrittenThinking {
  if (rule.thinking === 'none') return off;
  // A budget model does not think unless it is told to.
  if (rule.thinking === 'budget') return off;
  if (rule.canDisable !== 'no') return { ...off, fields: { thinking: { type: 'disabled' } } };
  emulate();
  return { ...off, kind: 'adaptive', effort: 'low' };
}

function adaptive(wish: ReasoningWish, { rule, maxTokens }: ThinkingWriting, emulate: () => void): WrittenThinking {
  const effort = effortOf(wish);
  const written = effort && clampEffort(effort, rule.efforts);
  if (effort !== written || wish.mode === 'budget') emulate();
  return {
    kind: 'adaptive',
    fields: { thinking: { type: 'adaptive', ...displayOf(wish, rule) } },
    ...(written && { effort: written }),
    maxTokens,
  };
}

function byBudget(wish: ReasoningWish, { rule, maxTokens }: ThinkingWriting, emulate: () => void): WrittenThinking {
  if (wish.mode !== 'budget') emulate();
  const asked = wish.budget !== undefined && wish.budget > 0 ? wish.budget : undefined;
  const budget = Math.max(minBudget, asked ?? Math.floor(maxTokens * shares[effortOf(wish) ?? 'medium']));
  const fitting = Math.min(budget, rule.maxOutput - minBudget);
  return {
    kind: 'budget',
    fields: { thinking: { type: 'enabled', budget_tokens: fitting, ...displayOf(wish, rule) } },
    maxTokens: roomFor(maxTokens, budget),
  };
}

/** The bound of output for a response behind so much thinking. */
export function roomFor(maxTokens: number, budget: number): number {
  return budget < maxTokens ? maxTokens : budget + maxTokens;
}

/** Newer models keep the text of their thinking to themselves unless asked; older ones do not know the question. */
function displayOf({ visible }: ReasoningWish, { hidesThinking }: ModelRule): JsonObject {
  if (visible === 'none') return hidesThinking ? { display: 'omitted' } : {};
  return hidesThinking ? { display: 'summarized' } : {};
}
