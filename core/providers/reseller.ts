import { isJsonObject } from '../lib/json-value.ts';
import type { BalanceQuery, ProviderAdapter } from './adapter.ts';
import { numberAt, simpleBalance } from './balance.ts';
import { type CompatibleProvider, defineCompatibleProvider, everyProtocol } from './compatible.ts';
import { typeFacts } from './type-fact.ts';

type Reseller = Pick<CompatibleProvider, 'name' | 'label' | 'defaultBaseUrl'> & Partial<CompatibleProvider>;

/** Gateways like this one: whatever OpenAI offers, they pass on. */
function defineReseller(reseller: Reseller): ProviderAdapter {
  return defineCompatibleProvider({ protocols: everyProtocol, speaksOpenAi: true, ...reseller });
}

export const openaiMax = defineReseller({
  ...typeFacts(6),
});

export const ohMyGpt = defineReseller({
  ...typeFacts(7),
});

export const ails = defineReseller(typeFacts(9));

export const aiProxy = defineReseller({
  ...typeFacts(10),
  balance: aiProxyBalance,
});

/** The vendor's account pages are on its main host; a channel with its own address keeps its key there. */
export function aiProxyBalance(base: string, key: string): BalanceQuery {
  const root = base === 'https://api.aiproxy.io' ? 'https://aiproxy.io' : base;
  return {
    requests: [{ url: `${root}/api/report/getUserOverview`, headers: { 'api-key': key } }],
    read: ([body]) => numberAt(body, 'data', 'totalPoints'),
  };
}

export const api2Gpt = defineReseller({
  ...typeFacts(12),
  balance: (base, key) => simpleBalance(creditUrl(base), key, (body) => numberAt(body, 'total_remaining')),
});

export const aigc2d = defineReseller({
  ...typeFacts(13),
  balance: (base, key) => simpleBalance(creditUrl(base), key, (body) => numberAt(body, 'total_available')),
});

export const openRouter = defineReseller({
  ...typeFacts(20),
  protocols: ['openai-chat', 'openai-completion', 'openai-embedding'],
  // Names the caller in the vendor's statistics.
  headers: () => ({ 'x-title': 'Tollgate' }),
  errors: [
    // A budget for calls under way that frees itself; without the header the account is empty.
    { status: [402], hasRetryAfter: true, kind: 'retry' },
    { status: [403], words: ['moderation', 'flagged', 'guardrail'], kind: 'policy' },
  ],
  balance: (base, key) =>
    simpleBalance(`${base}/v1/credits`, key, (body) => {
      const data = isJsonObject(body) ? body.data : undefined;
      return numberAt(data, 'total_credits') - numberAt(data, 'total_usage');
    }),
});

function creditUrl(base: string): string {
  return `${base}/dashboard/billing/credit_grants`;
}
