/** A number at its written value: 0.45 is digits 45 with scale 2. Money is added and multiplied in this form, never as floats. */
export interface Decimal {
  digits: bigint;
  scale: number;
}

/** Takes the shortest text of a float, which is what the operator typed. The number must be finite and not negative. */
export function decimalOf(value: number): Decimal {
  const [mantissa = '0', exponent = '0'] = String(value).split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  const scale = fraction.length - Number(exponent);
  const digits = BigInt(whole + fraction);
  return scale >= 0 ? { digits, scale } : { digits: digits * powerOfTen(-scale), scale: 0 };
}

export function multiply(...factors: Decimal[]): Decimal {
  let digits = 1n;
  let scale = 0;
  for (const factor of factors) {
    digits *= factor.digits;
    scale += factor.scale;
  }
  return { digits, scale };
}

/** The same value at the smallest scale: products of ratios often end in noughts. */
export function withoutNoughts({ digits, scale }: Decimal): Decimal {
  let shorter = digits;
  let left = scale;
  while (left > 0 && shorter % 10n === 0n) {
    shorter /= 10n;
    left -= 1;
  }
  return { digits: shorter, scale: left };
}

/** The digits of the same value at another scale, which must not be smaller than its own. */
export function digitsAtScale(value: Decimal, scale: number): bigint {
  return value.digits * powerOfTen(scale - value.scale);
}

/** Division of whole numbers with one rounding, halves up; both must not be negative. */
export function divideHalfUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend * 2n + divisor) / (divisor * 2n);
}

export function decimalText({ digits, scale }: Decimal): string {
  const sign = digits < 0n ? '-' : '';
  const text = (digits < 0n ? -digits : digits).toString().padStart(scale + 1, '0');
  const whole = text.slice(0, text.length - scale);
  const fraction = text.slice(text.length - scale).replace(/0+$/, '');
  return sign + (fraction === '' ? whole : `${whole}.${fraction}`);
}

export function powerOfTen(exponent: number): bigint {
  return 10n ** BigInt(exponent);
}
