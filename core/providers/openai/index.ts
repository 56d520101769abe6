import { openAiBalance } from '../balance.ts';
import { defineCompatibleProvider, everyProtocol } from '../compatible.ts';
import { applyModelRules } from '../model-rule.ts';
import { openAiChatProtocols } from './chat-protocol.ts';

export const openai = defineCompatibleProvider({
  name: 'openai',
  label: 'OpenAI',
  defaultBaseUrl: 'https://api.openai.com',
  protocols: [...everyProtocol, 'openai-responses'],
  chatProtocols: openAiChatProtocols,
  hasStreamOptions: true,
  speaksOpenAi: true,
  accountHeaders: ({ openai_organization: organization }): Record<string, string> =>
    organization === '' ? {} : { 'openai-organization': organization },
  adjust: (edits, call) => applyModelRules(edits, call),
  balance: openAiBalance,
});
