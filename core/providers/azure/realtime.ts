import type { RealtimeProvider } from '../realtime-provider.ts';
import { ownUserAgent } from '../user-agent.ts';
import { baseOf, deploymentOf, isV1, keyHeaders, versionOf } from './index.ts';

/**
 * The dated form has the deployment in its query and speaks the beta without being told; the v1 form is OpenAI's own
 * (provider sheet, URL forms).
 */
export const azureRealtime: RealtimeProvider = ({ model, query, isBeta }, channel) => {
  const base = baseOf(channel);
  const headers: Record<string, string> = { ...keyHeaders(channel), ...ownUserAgent(channel) };
  if (isV1(channel)) {
    if (isBeta) headers['openai-beta'] = 'realtime=v1';
    const path = base.endsWith('/openai/v1') ? '/realtime' : '/openai/v1/realtime';
    return { url: `${base}${path}?model=${encodeURIComponent(model)}`, headers };
  }
  const version = versionOf({ query }, channel);
  return { url: `${base}/openai/realtime?api-version=${version}&deployment=${deploymentOf(model)}`, headers };
};
