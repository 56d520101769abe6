import type { ChannelTarget, UpstreamCall } from '../adapter.ts';
import { joinUrl } from '../base-url.ts';
import type { BodyEdits } from '../body-edit.ts';
import { defineCompatibleProvider } from '../compatible.ts';
import { typeFacts } from '../type-fact.ts';
import { newerHints } from '../vendor-field.ts';

/** Channel type 46, and type 15 for keys of the newer form. */
export const baiduV2 = defineCompatibleProvider({
  ...typeFacts(46),
  protocols: ['openai-chat', 'openai-embedding'],
  unsupported: [...newerHints, 'logit_bias'],
  refused: ['n', 'logprobs'],
  // A response that came to its own end ends with `normal`.
  mendsResponses: true,
  url: (base, { path }) => joinUrl(versionBase(base), path),
  accountHeaders,
  adjust: adjustBaidu,
  errors: [
    { codes: ['account_overdue*', 'insufficient_balance*'], kind: 'balance' },
    { codes: ['characters_too_long', 'tokens_too_long'], kind: 'contextLength' },
    // One parameter or model is closed to the account.
    { codes: ['no_parameter_permission'], kind: 'retry' },
    { codes: ['access_denied', 'invalid_iam_token'], kind: 'dead' },
    { codes: ['invalid_image_generation_prompt'], kind: 'client' },
    { codes: ['rate_limit_exceeded', 'server_busy', 'internal_error', 'dispatch_internal_error'], kind: 'retry' },
  ],
  modelsUrl: (base) => joinUrl(versionBase(base), '/v1/models'),
});

function versionBase(base: string): string {
  return base.endsWith('/v2') ? base : `${base}/v2`;
}

/** The key may name an application, which then is billed. */
function accountHeaders({ key }: ChannelTarget): Record<string, string> {
  const [token = '', appId] = key.split('|').map((part) => part.trim());
  return { authorization: `Bearer ${token}`, ...(appId && { appid: appId }) };
}

function adjustBaidu(edits: BodyEdits, { protocol, fields }: UpstreamCall): undefined {
  if (protocol !== 'openai-chat') return;
  const temperature = fields.value('temperature');
  if (typeof temperature === 'number' && temperature <= 0) edits.set('temperature', 0.01);
  if (typeof temperature === 'number' && temperature > 1) edits.set('temperature', 1);
}
