import { joinUrl } from '../base-url.ts';
import type { RealtimeProvider } from '../realtime-provider.ts';
import { ownUserAgent } from '../user-agent.ts';
import { openai } from './index.ts';

export const openAiRealtime: RealtimeProvider = ({ model, isBeta }, channel) => {
  const headers: Record<string, string> = { authorization: `Bearer ${channel.key}`, ...ownUserAgent(channel) };
  if (channel.openai_organization !== '') headers['openai-organization'] = channel.openai_organization;
  if (isBeta) headers['openai-beta'] = 'realtime=v1';
  const url = joinUrl(channel.base_url || openai.defaultBaseUrl, '/v1/realtime');
  return { url: `${url}?model=${encodeURIComponent(model)}`, headers };
};
