import { AppError } from '../errors/app-error.ts';
import type { ProviderAdapter } from './adapter.ts';
import { gemini } from './gemini/index.ts';
import { typeFacts } from './type-fact.ts';

/** Google shut the PaLM API down on 2024-08-15; at its address and with its keys, Gemini models are served. */
export const palm: ProviderAdapter = {
  ...gemini,
  ...typeFacts(11),
  serves: isGemini,
  buildRequest(call, channel) {
    if (!isGemini(call.model)) throw new AppError('provider.retired', { provider: palm.label });
    return gemini.buildRequest(call, channel);
  },
};

function isGemini(model: string): boolean {
  return /^(models\/)?gemini/.test(model);
}
