import { receiptText } from '../../cli/print/receipt.ts';
import { createSpeak } from '../../cli/text.ts';
import { type PriceExtras, prepareRates, priceUsage, type Rates } from '../../core/billing/price.ts';
import { ratesFor } from '../../core/billing/rates.ts';
import { emptyUsage, type Usage } from '../../core/canonical/usage.ts';
import type { Language } from '../../core/text/text.ts';
import type { LocalText } from '../support/local-text.ts';

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

const examples: Example[] = [
  {
    title: {
      en: 'Tokens, with part of the prompt read from the cache, group `vip` at 0.8',
      zh: '按 token 计费，部分提示来自缓存，分组 `vip` 的倍率为 0.8',
    },
    model: 'gpt-4o',
    group: 'vip',
    usage: { prompt: 1200, cachedRead: 1000, completion: 300 },
  },
  {
    title: { en: 'A very small call', zh: '极小的调用' },
    model: 'gpt-4o-mini',
    group: 'default',
    usage: { prompt: 20, completion: 10 },
  },
  {
    title: {
      en: 'Claude, with 2,000 tokens cached for an hour and two web searches',
      zh: 'Claude，2000 个 token 缓存一小时，并有两次网页搜索',
    },
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
  },
  {
    title: { en: 'A long prompt', zh: '长提示' },
    model: 'gemini-2.5-pro',
    group: 'default',
    usage: { prompt: 250_000, cachedRead: 100_000, completion: 1000 },
  },
  {
    title: { en: 'A call that the upstream served as `flex`', zh: '上游以 `flex` 档处理的调用' },
    model: 'gpt-5.4',
    group: 'default',
    usage: { prompt: 1000, completion: 200, serviceTiers: ['flex'] },
  },
  {
    title: { en: 'Two images at a price per call', zh: '两张图片，按次计费' },
    model: 'dall-e-3',
    group: 'default',
    extras: { calls: 2 },
  },
  {
    title: { en: 'Speech, billed by characters', zh: '语音合成，按字符计费' },
    model: 'tts-1',
    group: 'default',
    usage: { prompt: 1500 },
  },
];

/** Receipts as `tollgate log get` prints them, computed by the function that charges. */
export function billingExamples(language: Language): string {
  return examples.map((example) => exampleText(example, language)).join('\n\n');
}

interface Example {
  title: LocalText;
  model: string;
  group: string;
  usage?: Partial<Usage>;
  extras?: PriceExtras;
}

function exampleText({ title, model, group, usage = {}, extras }: Example, language: Language): string {
  const rates = ratesFor(tables, model, group);
  const receipt = priceUsage(prepareRates(rates), { ...emptyUsage, ...usage }, extras);
  // Code blocks are the same in both languages.
  const lines = receiptText(receipt, receipt.quota, quotaPerUnit, createSpeak('en'));
  const head = { en: `**${title.en}.** \`${model}\`: `, zh: `**${title.zh}。** \`${model}\`：` };
  const end = { en: '.', zh: '。' };
  return `${head[language]}${describe(rates)[language]}${end[language]}\n\n\`\`\`\n${lines.join('\n')}\n\`\`\``;
}

function describe(rates: Rates): LocalText {
  const { kind, modelPrice, modelRatio, completionRatio, cacheRatio, groupRatio } = rates;
  if (kind === 'price')
    return {
      en: `${modelPrice} US dollars per call, group ratio ${groupRatio}`,
      zh: `每次 ${modelPrice} 美元，分组倍率 ${groupRatio}`,
    };
  return {
    en: `model ratio ${modelRatio}, completion ratio ${completionRatio}, cache ratio ${cacheRatio}, group ratio ${groupRatio}`,
    zh: `模型倍率 ${modelRatio}，补全倍率 ${completionRatio}，缓存倍率 ${cacheRatio}，分组倍率 ${groupRatio}`,
  };
}
