import { countedKinds, type PreparedRates, type Rates } from './prepared-rates.ts';

/** More than a call is billed for: no reader of usage takes a higher count of one kind. */
const maxBilled = 10_000_000 * countedKinds.length;

/** Whether the bill of a call is one that the ledger can book, whatever counts an upstream reports. */
export function isPayable({ perToken, unit, rates }: PreparedRates): boolean {
  // A price by the call is known before it.
  if (rates.kind === 'price') return true;
  const dearest = Math.max(...countedKinds.map((kind) => Number(perToken[kind] / unit)));
  const token = surchargesOf(rates).reduce((price, ratio) => price * Math.max(1, ratio), dearest + 1);
  const use = (Math.max(0, ...Object.values(rates.toolPrices ?? {})) * rates.quotaPerUnit * rates.groupRatio) / 1000;
  return (token + use) * maxBilled <= Number.MAX_SAFE_INTEGER;
}

function surchargesOf({ longPrompt, tierRatios = {} }: Rates): number[] {
  const { prompt = 1, cached = 1, completion = 1 } = longPrompt ?? {};
  return [prompt, cached, completion, ...Object.values(tierRatios)];
}
