import type { ProviderAdapter } from '../adapter.ts';

/** For every cloud that serves Claude: a turn that has begun is gone on with up to 4.5, and refused from Opus 4.6 on. */
export const claudeContinuesTurn: NonNullable<ProviderAdapter['continuesTurn']> = (model, spoken) =>
  spoken === 'anthropic-messages' && takesBegunTurn(model) ? {} : undefined;

/** An unknown name is taken for a newer model. */
function takesBegunTurn(model: string): boolean {
  if (/claude-(instant|v?2|3)\b/.test(model)) return true;
  const [, major, minor = '0'] = /claude-(?:opus|sonnet|haiku)-(\d)(?:[-.](\d{1,2})(?!\d))?/.exec(model) ?? [];
  return major === '4' && Number(minor) <= 5;
}
