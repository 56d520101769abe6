import type { Usage } from '../../canonical/usage.ts';
import type { JsonObject } from '../../lib/json-value.ts';

/** Anthropic counts the cache beside the input. */
export function writeAnthropicUsage(usage: Usage): JsonObject {
  const { prompt, completion, cachedRead, cacheWrite, cacheWriteHour = 0, reasoning } = usage;
  const searches = usage.serverTools?.web_search ?? 0;
  const tiers = usage.serviceTiers ?? [];
  return {
    input_tokens: prompt - cachedRead - cacheWrite,
    cache_creation_input_tokens: cacheWrite,
    cache_read_input_tokens: cachedRead,
    ...(cacheWrite > 0 && {
      cache_creation: {
        ephemeral_5m_input_tokens: cacheWrite - cacheWriteHour,
        ephemeral_1h_input_tokens: cacheWriteHour,
      },
    }),
    output_tokens: completion,
    ...(reasoning > 0 && { output_tokens_details: { thinking_tokens: reasoning } }),
    ...(searches > 0 && { server_tool_use: { web_search_requests: searches } }),
    ...((tiers.includes('batch') || tiers.includes('priority')) && {
      service_tier: tiers.includes('batch') ? 'batch' : 'priority',
    }),
    ...(tiers.includes('fast') && { speed: 'fast' }),
    ...(tiers.includes('us') && { inference_geo: 'us' }),
  };
}
