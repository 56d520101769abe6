import type { FinishReason } from '../../canonical/chat-event.ts';

const reasons: Record<string, FinishReason> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  tool_use: 'tool',
  refusal: 'filter',
  pause_turn: 'pause',
};

/** Reasons of models to come count as a stop. */
export function mapStopReason(reason: string): FinishReason {
  return (Object.hasOwn(reasons, reason) ? reasons[reason] : undefined) ?? 'stop';
}
