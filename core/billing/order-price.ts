import { type Decimal, decimalOf, digitsAtScale, divideHalfUp, multiply } from './decimal.ts';

export interface OrderTerms {
  /** The option DisplayInCurrencyEnabled: amounts are currency units, else quota units. */
  inCurrency: boolean;
  quotaPerUnit: number;
  /** Money per currency unit. */
  price: number;
  /** The factor of the payer's group. */
  groupRatio: number;
}

export interface OrderPrice {
  /** Exactly what is bought. */
  quota: bigint;
  /** Money, rounded once, halves up. */
  moneyCents: bigint;
  /** Whole currency units, as older tables have them. */
  units: bigint;
}

/** What an amount buys and costs, without a float in between. */
export function orderPrice(amount: number, { inCurrency, quotaPerUnit, price, groupRatio }: OrderTerms): OrderPrice {
  const perUnit = decimalOf(quotaPerUnit);
  const bought = decimalOf(amount);
  const rate = multiply(decimalOf(price), decimalOf(groupRatio));
  if (inCurrency) {
    const cost = multiply(bought, rate);
    return { quota: wholePart(multiply(bought, perUnit)), moneyCents: quotient(cost, one), units: BigInt(amount) };
  }
  const units = digitsAtScale(bought, perUnit.scale) / perUnit.digits;
  return { quota: BigInt(amount), moneyCents: quotient(multiply(bought, rate), perUnit), units };
}

/** The smallest amount of quota that is worth so many currency units. */
export function quotaOfUnits(units: number, quotaPerUnit: number): bigint {
  const exact = multiply(decimalOf(units), decimalOf(quotaPerUnit));
  const whole = wholePart(exact);
  return digitsAtScale({ digits: whole, scale: 0 }, exact.scale) < exact.digits ? whole + 1n : whole;
}

const one: Decimal = { digits: 1n, scale: 0 };

function wholePart({ digits, scale }: Decimal): bigint {
  return digits / 10n ** BigInt(scale);
}

/** In hundredths. */
function quotient(dividend: Decimal, divisor: Decimal): bigint {
  const scale = Math.max(dividend.scale, divisor.scale);
  return divideHalfUp(digitsAtScale(dividend, scale) * 100n, digitsAtScale(divisor, scale));
}
