import { receiptText } from '../../cli/print/receipt.ts';
import { createSpeak } from '../../cli/text.ts';
import { type PriceExtras, prepareRates, priceUsage, type Rates } from '../../core/billing/price.ts';
import { ratesFor } from '../../core/billing/rates.ts';
import { emptyUsage, type Usage } from '../../core/canonical/usage.ts';

const quotaPerUnit = 500_000;
const tables = {
  modelRatio: {},
  modelPrice: {},
  completionRatio: {},
  cacheRatio: {},
  groupRatio: { default: 1, vip: 0.8 },
  quotaPerUnit,
  selfUse: false,
};

/** Receipts as `tollgate log get` prints them, computed by the function that charges. */
export function billingExamples(): string {
  return [
    example({
      title: 'Tokens, part of the prompt from the cache, group `vip` at 0.8',
      model: 'gpt-4o',
      group: 'vip',
      usage: { prompt: 1200, cachedRead: 1000, completion: 300 },
    }),
    example({
      title: 'The smallest call',
      model: 'gpt-4o-mini',
      group: 'default',
      usage: { prompt: 20, completion: 10 },
    }),
    example({
      title: 'Claude, with 2,000 tokens cached for an hour and two web searches',
      model: 'claude-sonnet-4-6',
      group: 'default',
      usage: {
        prompt: 5000,
        cachedRead: 2500,
        cacheWrite: 2400,
        cacheWriteHour: 2000,
        completion: 400,
        serverTools: { web_search: 2 },
      },
    }),
    example({
      title: 'A long prompt',
      model: 'gemini-2.5-pro',
      group: 'default',
      usage: { prompt: 250_000, cachedRead: 100_000, completion: 1000 },
    }),
    example({
      title: 'A call the upstream served as `flex`',
      model: 'gpt-5.4',
      group: 'default',
      usage: { prompt: 1000, completion: 200, serviceTiers: ['flex'] },
    }),
    example({ title: 'Two pictures at a price per call', model: 'dall-e-3', group: 'default', extras: { calls: 2 } }),
    example({ title: 'Speech, paid by its characters', model: 'tts-1', group: 'default', usage: { prompt: 1500 } }),
  ].join('\n\n');
}

interface Example {
  title: string;
  model: string;
  group: string;
  usage?: Partial<Usage>;
  extras?: PriceExtras;
}

function example({ title, model, group, usage = {}, extras }: Example): string {
  const rates = ratesFor(tables, model, group);
  const receipt = priceUsage(prepareRates(rates), { ...emptyUsage, ...usage }, extras);
  const lines = receiptText(receipt, receipt.quota, quotaPerUnit, createSpeak('en'));
  return `**${title}.** \`${model}\`: ${describe(rates)}.\n\n\`\`\`\n${lines.join('\n')}\n\`\`\``;
}

function describe(rates: Rates): string {
  const { kind, modelPrice, modelRatio, completionRatio, cacheRatio, groupRatio } = rates;
  const group = `group ratio ${groupRatio}`;
  if (kind === 'price') return `price ${modelPrice} US dollars per call, ${group}`;
  return `model ratio ${modelRatio}, completion ratio ${completionRatio}, cache ratio ${cacheRatio}, ${group}`;
}
