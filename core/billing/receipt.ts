import type { Usage } from '../canonical/usage.ts';
import { type PriceExtras, prepareRates, priceUsage, type Rates, type Receipt } from './price.ts';

/** The bill a consumption row carries, computed again from its own figures; undefined for rows that have none. */
export function receiptOf(other: string): Receipt | undefined {
  const bill = readBill(other);
  return bill && priceUsage(prepareRates(bill.rates), bill.usage, bill.extras);
}

interface Bill {
  rates: Rates;
  usage: Usage;
  extras?: PriceExtras;
}

function readBill(other: string): Bill | undefined {
  if (!other.includes('"bill"')) return undefined;
  try {
    const { bill } = JSON.parse(other) as { bill?: Bill };
    return bill?.rates && bill.usage ? bill : undefined;
  } catch {
    // Rows of an imported database hold whatever its program wrote.
    return undefined;
  }
}
