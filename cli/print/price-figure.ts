import type { ListedPrice } from '../../core/schemas/price-sync.ts';

type Figure = 'input' | 'cached' | 'cache_write' | 'output' | 'call';

/** `2.5 -> 3`; one figure if it stays the same, `-` without one. */
export function changeOfFigure(old: ListedPrice | null, next: ListedPrice | null, figure: Figure): string {
  const [was, is] = [old?.[figure], next?.[figure]];
  if (was === is) return text(is);
  return `${text(was)} -> ${text(is)}`;
}

/** A price without the noise of binary fractions: `2.5` for `2.49999999999`. Ten digits are more than people give a price. */
export const plainPrice = (value: number): number => Number(value.toPrecision(10));

const text = (value: number | undefined) => (value === undefined ? '-' : String(plainPrice(value)));

/** `$2.5 prompt, $10 completion` in one word: `$2.5/$10`, or `$0.04` for a call. */
export const shortPrice = ({ call, input, output }: ListedPrice): string =>
  call === undefined ? `$${text(input)}/$${text(output)}` : `$${text(call)}`;
