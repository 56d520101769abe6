import { openAiBalance } from '../balance.ts';
import { defineCompatibleProvider, everyProtocol } from '../compatible.ts';
import { applyModelRules } from '../model-rule.ts';
import { typeFacts } from '../type-fact.ts';
import { openAiChatProtocols } from './chat-protocol.ts';

export const openai = defineCompatibleProvider({
  ...typeFacts(1),
  protocols: [...everyProtocol, 'openai-responses'],
  chatProtocols: openAiChatProtocols,
  speaksOpenAi: true,
  accountHeaders: ({ openai_organization: organization }): Record<string, string> =>
    organization === '' ? {} : { 'openai-organization': organization },
  adjust: (edits, call) => applyModelRules(edits, call),
  balance: openAiBalance,
});
