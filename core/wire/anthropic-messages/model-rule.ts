import type { Effort } from '../../canonical/effort.ts';

/** What a Claude model takes; unlike other vendors, Anthropic refuses whatever a model does not take. */
export interface ModelRule {
  /** Against the name from `claude-` on, dots as hyphens. The first line that fits counts. */
  models: RegExp;
  maxOutput: number;
  /** temperature, top_p, top_k: all, all but temperature and top_p together, or none. */
  sampling: 'all' | 'oneOfTwo' | 'none';
  /** Which kinds of thinking: by budget, as the model sees fit, both, or none. */
  thinking: 'none' | 'budget' | 'both' | 'adaptive';
  /** Whether thinking can be switched off; some only below the efforts beyond high. */
  canDisable: 'yes' | 'no' | 'upToHigh';
  /** Whether a tool may be forced. */
  forcedTool: 'yes' | 'notWhileThinking' | 'no';
  structuredOutput: boolean;
  efforts: readonly Effort[];
  /** Goes on with an assistant turn that ends the conversation. */
  prefill: boolean;
  /** Takes system messages in the middle of a conversation. */
  systemTurns: boolean;
  /** Leaves the text of its thinking out unless it is asked for. */
  hidesThinking: boolean;
}

const older = {
  sampling: 'oneOfTwo',
  thinking: 'budget',
  canDisable: 'yes',
  forcedTool: 'notWhileThinking',
  structuredOutput: true,
  efforts: [],
  prefill: true,
  systemTurns: false,
  hidesThinking: false,
} as const satisfies Partial<ModelRule>;

const newer = {
  maxOutput: 128_000,
  sampling: 'none',
  thinking: 'adaptive',
  canDisable: 'yes',
  forcedTool: 'yes',
  structuredOutput: true,
  efforts: ['low', 'medium', 'high', 'xhigh', 'max'],
  prefill: false,
  systemTurns: true,
  hidesThinking: true,
} as const satisfies Partial<ModelRule>;

// Anthropic sheet, section 3. Budgets on 4.7, 4.8 and sonnet-5 are reported both as taken and as refused: adaptive works either way.
const rules: readonly ModelRule[] = [
  {
    ...older,
    models: /^claude-(instant|[12]|3-(haiku|sonnet|opus))/,
    maxOutput: 4096,
    sampling: 'all',
    thinking: 'none',
    structuredOutput: false,
  },
  // The two below are in no table of today; the figures are those of their time.
  {
    ...older,
    models: /^claude-3-5/,
    maxOutput: 8192,
    sampling: 'all',
    thinking: 'none',
    structuredOutput: false,
  },
  { ...older, models: /^claude-3-7/, maxOutput: 64_000, sampling: 'all', structuredOutput: false },
  { ...older, models: /^claude-opus-4-1(?!\d)/, maxOutput: 32_000 },
  { ...older, models: /^claude-(sonnet|opus|haiku)-4-5/, maxOutput: 64_000 },
  {
    ...older,
    models: /^claude-(sonnet|opus)-4-6/,
    maxOutput: 128_000,
    thinking: 'both',
    efforts: ['low', 'medium', 'high', 'max'],
    prefill: false,
  },
  { ...newer, models: /^claude-opus-4-7/, systemTurns: false },
  { ...newer, models: /^claude-opus-4-8/ },
  { ...older, models: /^claude-opus-4/, maxOutput: 32_000, structuredOutput: false },
  { ...older, models: /^claude-sonnet-4/, maxOutput: 64_000, structuredOutput: false },
  { ...newer, models: /^claude-(fable-5-1|opus-5-5|sonnet-5-5)/, canDisable: 'no', forcedTool: 'no' },
  { ...newer, models: /^claude-haiku-5-5/, canDisable: 'upToHigh', forcedTool: 'no' },
  { ...newer, models: /^claude-fable-5/, canDisable: 'no' },
  { ...newer, models: /^claude-opus-5/, canDisable: 'upToHigh' },
  { ...newer, models: /^claude-/ },
];

/** Other vendors' models behind Anthropic's protocol: nothing is known, so little is touched. */
const otherVendor: ModelRule = {
  ...older,
  models: /^/,
  maxOutput: Number.MAX_SAFE_INTEGER,
  sampling: 'all',
  structuredOutput: false,
};

/** `model` in any cloud's spelling: `us.anthropic.claude-sonnet-4-5-20250929-v1:0`, `claude-opus-4-1@20250805`. */
export function modelRule(model: string): ModelRule {
  const start = model.indexOf('claude-');
  if (start < 0) return otherVendor;
  const name = model.slice(start).replaceAll('.', '-');
  return rules.find(({ models }) => models.test(name)) ?? otherVendor;
}
