import type { Rates, Receipt } from '../../../../core/billing/price.ts';

const tokenKinds = [
  'prompt',
  'cached',
  'cacheWrite',
  'cacheWriteHour',
  'audioInput',
  'imageInput',
  'completion',
  'audioOutput',
  'imageOutput',
];

/** The price as it is written in one line: `(200 + 300 × 4) × 1.25 × 0.8 ÷ 500000`. */
export function priceFormula({ lines, terms }: Receipt, rates: Rates): string {
  const { modelRatio, modelPrice, groupRatio, quotaPerUnit } = rates;
  const call = lines.find(({ what }) => what === 'call');
  if (call && rates.kind === 'price') {
    const perCall = modelPrice * groupRatio * quotaPerUnit;
    const size = perCall > 0 ? plain(Number(call.rate) / perCall) : '1';
    const factors = [size, plain(call.count)].filter((factor) => factor !== '1');
    return [plain(modelPrice), plain(groupRatio), ...factors].join(' × ');
  }
  const tokens = lines.filter(({ what }) => tokenKinds.includes(what));
  const tools = lines.filter(({ what }) => !tokenKinds.includes(what) && what !== 'rounding');
  const perToken = modelRatio * groupRatio;
  // Long prompts and service tiers change every rate in its own way: the lines tell, one formula cannot.
  if (lines.length === 0 || (tokens.length > 0 && (terms || perToken === 0))) return '';
  const counted = tokens.map(({ count, rate }) => product(count, Number(rate) / perToken)).join(' + ');
  const paid = tokens.length > 0 ? [`(${counted}) × ${plain(modelRatio)} × ${plain(groupRatio)}`] : [];
  const sum = [...paid, ...tools.map(({ count, rate }) => product(count, Number(rate)))].join(' + ');
  return `${tools.length > 0 ? `(${sum})` : sum} ÷ ${plain(quotaPerUnit)}`;
}

function product(count: number, factor: number): string {
  const text = plain(factor);
  return text === '1' ? plain(count) : `${plain(count)} × ${text}`;
}

/** Without the noise of a float. */
const plain = (value: number) => String(Number(value.toPrecision(10)));
