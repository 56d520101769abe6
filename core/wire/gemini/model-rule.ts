import type { ReasoningWish } from '../../canonical/chat-request.ts';

/** What a model of the family takes, told by its name. */
export interface GeminiModel {
  /** 2.5 and later: JSON Schema instead of the OpenAPI subset. */
  hasJsonSchema: boolean;
  /** 3 and later: levels of thinking, ids of calls, signatures that must come back, tools beside a schema. */
  isThird: boolean;
  /** Thinking can be turned off. */
  canStopThinking: boolean;
  thinks: boolean;
  maxBudget: number;
  minBudget: number;
}

export function geminiModel(name: string): GeminiModel {
  const [, major = '0', minor = '0'] = /gemini-(\d+)(?:[.-](\d)(?!\d))?/.exec(name) ?? [];
  const version = Number(major) + Number(minor) / 10;
  const isPro = /-pro(?![a-z])/.test(name);
  const isLite = name.includes('flash-lite');
  return {
    hasJsonSchema: version >= 2.5,
    isThird: version >= 3,
    thinks: version >= 2.5 && !/-image|-tts|-live/.test(name),
    canStopThinking: !isPro,
    // Gemini sheet, section 2: budgets of the 2.5 models.
    minBudget: isPro ? 128 : isLite ? 512 : 1,
    maxBudget: isPro ? 32_768 : 24_576,
  };
}

const budgets: Record<string, number> = {
  minimal: 512,
  low: 1024,
  medium: 8192,
  high: 24_576,
  xhigh: 32_768,
  max: 32_768,
};
const levels: Record<string, string> = {
  minimal: 'MINIMAL',
  low: 'LOW',
  medium: 'MEDIUM',
  high: 'HIGH',
  xhigh: 'HIGH',
  max: 'HIGH',
};

/** `thinkingConfig`, undefined when nothing is to be said. Budget and level never go together. */
export function writeThinking(wish: ReasoningWish, model: GeminiModel): Record<string, unknown> | undefined {
  if (!model.thinks) return undefined;
  const shown = wish.visible !== undefined && wish.visible !== 'none' ? { includeThoughts: true } : {};
  const amount = model.isThird ? writeLevel(wish, model) : writeBudget(wish, model);
  const config = { ...amount, ...shown };
  return Object.keys(config).length > 0 ? config : undefined;
}

function writeLevel(
  { mode, effort, budget }: ReasoningWish,
  { canStopThinking }: GeminiModel,
): Record<string, unknown> {
  if (mode === 'off') return { thinkingLevel: canStopThinking ? 'MINIMAL' : 'LOW' };
  if (effort !== undefined) return { thinkingLevel: levels[effort] ?? 'HIGH' };
  if (budget === undefined) return {};
  return { thinkingLevel: budget <= 2048 ? 'LOW' : budget <= 8192 ? 'MEDIUM' : 'HIGH' };
}

function writeBudget(wish: ReasoningWish, model: GeminiModel): Record<string, unknown> {
  const { canStopThinking, minBudget, maxBudget } = model;
  if (wish.mode === 'off') return { thinkingBudget: canStopThinking ? 0 : minBudget };
  if (wish.mode === 'auto') return { thinkingBudget: -1 };
  const tokens = wish.budget ?? budgets[wish.effort ?? 'high'] ?? maxBudget;
  return { thinkingBudget: Math.min(Math.max(tokens, minBudget), maxBudget) };
}
