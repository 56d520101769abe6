import { emptyUsage, type Usage } from '../canonical/usage.ts';
import { termsOf } from './prepared-rates.ts';
import { type PriceExtras, prepareRates, priceUsage, type Rates, type Receipt } from './price.ts';

/** What a charge was computed from. */
export interface Bill {
  rates: Rates;
  usage: Usage;
  extras: PriceExtras;
}

/** As the log row keeps it: what is zero, or priced nothing in this call, is left out, because millions of rows hold one. */
interface StoredBill {
  rates: Partial<Rates>;
  usage: Partial<Usage>;
  extras?: PriceExtras;
}

/** Of a model without any: each part of a call costs what its prompt does. */
export const neutralRates: Omit<Rates, 'quotaPerUnit' | 'groupRatio' | 'source'> = {
  kind: 'ratio',
  modelRatio: 0,
  modelPrice: -1,
  completionRatio: 1,
  cacheRatio: 1,
  createCacheRatio: 1,
  createCacheHourRatio: 1,
  audioRatio: 1,
  audioCompletionRatio: 1,
  imageRatio: 1,
  imageCompletionRatio: 1,
};

export function writeBill({ rates, usage, extras }: Bill): StoredBill {
  const { prompt, completion, cachedRead, cacheWrite, reasoning, audioInput, audioOutput } = usage;
  const { imageInput = 0, imageOutput = 0 } = usage;
  const { kind, modelRatio, modelPrice, completionRatio, groupRatio, quotaPerUnit, source } = rates;
  const stored: StoredBill = {
    rates:
      kind === 'price'
        ? { kind, modelPrice, groupRatio, quotaPerUnit, source }
        : { modelRatio, completionRatio, groupRatio, quotaPerUnit, source },
    usage: { prompt, completion },
  };
  if (cachedRead > 0) {
    stored.usage.cachedRead = cachedRead;
    stored.rates.cacheRatio = rates.cacheRatio;
  }
  if (cacheWrite > 0) {
    stored.usage.cacheWrite = cacheWrite;
    stored.rates.createCacheRatio = rates.createCacheRatio;
  }
  if (reasoning > 0) stored.usage.reasoning = reasoning;
  if (audioInput + audioOutput > 0) {
    Object.assign(stored.usage, { audioInput, audioOutput });
    Object.assign(stored.rates, { audioRatio: rates.audioRatio, audioCompletionRatio: rates.audioCompletionRatio });
  }
  if (imageInput + imageOutput > 0) {
    Object.assign(stored.usage, { imageInput, imageOutput });
    Object.assign(stored.rates, { imageRatio: rates.imageRatio, imageCompletionRatio: rates.imageCompletionRatio });
  }
  if (usage.cacheWriteHour) {
    stored.usage.cacheWriteHour = usage.cacheWriteHour;
    stored.rates.createCacheHourRatio = rates.createCacheHourRatio;
  }
  if (usage.serverTools || usage.serviceTiers || rates.longPrompt) writeSurcharges(stored, rates, usage);
  if (extras.calls !== undefined || extras.imageFactor !== undefined) stored.extras = extras;
  return stored;
}

/** Only those that took part: the prices of the tools that were used, the factor of the tier that served. */
function writeSurcharges(stored: StoredBill, rates: Rates, { serverTools, serviceTiers, prompt }: Usage): void {
  const { longPrompt, toolPrices = {}, tierRatios = {} } = rates;
  if (longPrompt && prompt > longPrompt.above) stored.rates.longPrompt = longPrompt;
  if (serverTools) {
    stored.usage.serverTools = serverTools;
    stored.rates.toolPrices = entriesOf(toolPrices, Object.keys(serverTools));
  }
  if (serviceTiers) {
    stored.usage.serviceTiers = serviceTiers;
    stored.rates.tierRatios = entriesOf(tierRatios, serviceTiers);
  }
}

function entriesOf(prices: Readonly<Record<string, number>>, names: readonly string[]): Record<string, number> {
  return Object.fromEntries(Object.entries(prices).filter(([name]) => names.includes(name)));
}

/** The plain fields of a log row for everything but the standard price of tokens; undefined if it has no such fields. */
export function surchargeFields(rates: Rates, usage: Usage): Record<string, unknown> | undefined {
  const { cacheWriteHour = 0, serverTools, serviceTiers } = usage;
  if (cacheWriteHour === 0 && !serverTools && !serviceTiers && !rates.longPrompt) return undefined;
  const fields: Record<string, unknown> = {};
  if (cacheWriteHour > 0) {
    fields.cache_creation_tokens_1h = cacheWriteHour;
    fields.cache_creation_ratio_1h = rates.createCacheHourRatio;
  }
  for (const [tool, count] of Object.entries(serverTools ?? {})) {
    fields[tool] = true;
    fields[`${tool}_call_count`] = count;
    // US dollars per thousand.
    fields[`${tool}_price`] = rates.toolPrices?.[tool as keyof typeof serverTools] ?? 0;
  }
  if (serviceTiers) fields.service_tier = serviceTiers.join('+');
  const terms = termsOf(rates, usage);
  if (terms?.tiers) fields.service_tier_ratio = Object.fromEntries(terms.tiers.map(({ tier, ratio }) => [tier, ratio]));
  if (terms?.longPrompt) fields.long_prompt = terms.longPrompt;
  return fields;
}

/** The bill a consumption row carries, computed again from its own figures; undefined for rows that have none. */
export function receiptOf(other: string): Receipt | undefined {
  const bill = readBill(other);
  return bill && priceUsage(prepareRates(bill.rates), bill.usage, bill.extras);
}

export function readBill(other: string): Bill | undefined {
  if (!other.includes('"bill"')) return undefined;
  try {
    const { bill } = JSON.parse(other) as { bill?: StoredBill };
    if (!bill?.rates || !bill.usage) return undefined;
    return {
      rates: { ...neutralRates, ...bill.rates } as Rates,
      usage: { ...emptyUsage, ...bill.usage },
      extras: bill.extras ?? {},
    };
  } catch {
    // Rows of an imported database hold whatever its program wrote.
    return undefined;
  }
}
