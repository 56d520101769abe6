import type { ProviderAdapter } from './adapter.ts';
import { isObject, numberAt, simpleBalance } from './balance.ts';
import { type CompatibleProvider, defineCompatibleProvider, everyProtocol } from './compatible.ts';

type Reseller = Pick<CompatibleProvider, 'name' | 'label' | 'defaultBaseUrl'> & Partial<CompatibleProvider>;

/** Gateways like this one: whatever OpenAI offers, they pass on. */
function defineReseller(reseller: Reseller): ProviderAdapter {
  return defineCompatibleProvider({ protocols: everyProtocol, speaksOpenAi: true, ...reseller });
}

export const openaiMax = defineReseller({
  name: 'openaimax',
  label: 'OpenAIMax',
  defaultBaseUrl: 'https://api.openaimax.com',
});

export const ohMyGpt = defineReseller({
  name: 'ohmygpt',
  label: 'OhMyGPT',
  defaultBaseUrl: 'https://api.ohmygpt.com',
});

export const ails = defineReseller({ name: 'ails', label: 'AILS', defaultBaseUrl: 'https://api.caipacity.com' });

export const aiProxy = defineReseller({
  name: 'aiproxy',
  label: 'AI Proxy',
  defaultBaseUrl: 'https://api.aiproxy.io',
  balance: (base, key) => ({
    // The vendor's account pages are on its main host; a channel with its own address keeps its key there.
    requests: [
      {
        url: `${base === 'https://api.aiproxy.io' ? 'https://aiproxy.io' : base}/api/report/getUserOverview`,
        headers: { 'api-key': key },
      },
    ],
    read: ([body]) => numberAt(body, 'data', 'totalPoints'),
  }),
});

export const api2Gpt = defineReseller({
  name: 'api2gpt',
  label: 'API2GPT',
  defaultBaseUrl: 'https://api.api2gpt.com',
  balance: (base, key) => simpleBalance(creditUrl(base), key, (body) => numberAt(body, 'total_remaining')),
});

export const aigc2d = defineReseller({
  name: 'aigc2d',
  label: 'AIGC2D',
  defaultBaseUrl: 'https://api.aigc2d.com',
  balance: (base, key) => simpleBalance(creditUrl(base), key, (body) => numberAt(body, 'total_available')),
});

export const openRouter = defineReseller({
  name: 'openrouter',
  label: 'OpenRouter',
  defaultBaseUrl: 'https://openrouter.ai/api',
  protocols: ['openai-chat', 'openai-completion', 'openai-embedding'],
  hasStreamOptions: true,
  // Names the caller in the vendor's statistics.
  headers: () => ({ 'x-title': 'Tollgate' }),
  errors: [
    // A budget for calls under way that frees itself; without the header the account is empty.
    { status: [402], hasRetryAfter: true, kind: 'retry' },
    { status: [403], words: ['moderation', 'flagged', 'guardrail'], kind: 'policy' },
  ],
  balance: (base, key) =>
    simpleBalance(`${base}/v1/credits`, key, (body) => {
      const data = isObject(body) ? body.data : undefined;
      return numberAt(data, 'total_credits') - numberAt(data, 'total_usage');
    }),
});

function creditUrl(base: string): string {
  return `${base}/dashboard/billing/credit_grants`;
}
