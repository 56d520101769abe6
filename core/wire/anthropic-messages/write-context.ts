import type { ChatRequest } from '../../canonical/chat-request.ts';
import type { Losses } from '../../canonical/loss.ts';
import type { ToolNames } from '../../canonical/tool-name.ts';
import type { ModelRule } from './model-rule.ts';
import type { ToolIds } from './tool-id.ts';

export interface BlockWriting extends Omit<TurnWriting, 'isThinking'> {
  origin: ChatRequest['origin'];
  ids: ToolIds;
}

export interface TurnWriting {
  names: ToolNames;
  losses: Losses;
  rule: ModelRule;
  isThinking: boolean;
}
