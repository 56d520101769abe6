import type { UpstreamCall } from './adapter.ts';
import { joinUrl } from './base-url.ts';
import { defineCompatibleProvider } from './compatible.ts';
import { typeFacts } from './type-fact.ts';
import { withoutHint } from './vendor-field.ts';

export const volcengine = defineCompatibleProvider({
  ...typeFacts(45),
  protocols: ['openai-chat', 'openai-embedding'],
  unsupported: withoutHint('service_tier'),
  url: arkUrl,
  modelsUrl: (base) => joinUrl(arkBase(base), '/v1/models'),
  errors: [
    { codes: ['AccountOverdueError'], kind: 'balance' },
    { status: [429], codes: ['QuotaExceeded'], kind: 'balance' },
    { codes: ['SensitiveContentDetected*', 'InputTextSensitiveContentDetected*'], kind: 'policy' },
    { codes: ['OutputTextSensitiveContentDetected*', 'InputImageSensitiveContentDetected*'], kind: 'policy' },
    { codes: ['AuthenticationError', 'InvalidAccountStatus'], kind: 'dead' },
    // One model is closed to this account, not the account.
    { codes: ['AccessDenied*', 'OperationDenied*'], kind: 'retry' },
  ],
});

/** Bots have a chat route of their own. */
function arkUrl(base: string, { protocol, path, model }: UpstreamCall): string {
  const isBot = protocol === 'openai-chat' && model.startsWith('bot');
  return joinUrl(arkBase(base), isBot ? '/v1/bots/chat/completions' : path);
}

function arkBase(base: string): string {
  return base.endsWith('/api/v3') ? base : `${base}/api/v3`;
}
