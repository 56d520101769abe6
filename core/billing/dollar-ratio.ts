/** US dollars per million tokens, as vendors print their prices. */
export interface DollarPrices {
  input?: number | undefined;
  output?: number | undefined;
  cached?: number | undefined;
  cacheWrite?: number | undefined;
}

export interface PriceRatios {
  modelRatio?: number | undefined;
  completionRatio?: number | undefined;
  cacheRatio?: number | undefined;
  createCacheRatio?: number | undefined;
}

/**
 * The ratios such prices are; with `inputNow` standing in for an input price that is not given. Undefined when there is nothing
 * the others could be a multiple of.
 */
export function ratiosOfDollars(
  { input, output, cached, cacheWrite }: DollarPrices,
  quotaPerUnit: number,
  inputNow: number | undefined,
): PriceRatios | undefined {
  const whole = input ?? inputNow;
  const parts = [output, cached, cacheWrite];
  if (parts.some((part) => part !== undefined && share(part, whole) === undefined)) return undefined;
  return {
    modelRatio: input === undefined ? undefined : tidy((input * quotaPerUnit) / 1_000_000),
    completionRatio: share(output, whole),
    cacheRatio: share(cached, whole),
    createCacheRatio: share(cacheWrite, whole),
  };
}

function share(part: number | undefined, whole: number | undefined): number | undefined {
  if (part === undefined || whole === undefined) return undefined;
  if (whole > 0) return tidy(part / whole);
  return part === 0 ? 1 : undefined;
}

// Ten decimals, as the price list has them: 0.6 / 0.15 shall be 4.
function tidy(ratio: number): number {
  return Number(ratio.toFixed(10));
}
