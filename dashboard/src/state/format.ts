import { useTranslation } from 'react-i18next';
import { formatCost, formatQuota, formatQuotas } from '../../../core/billing/quota.ts';
import { useStatus } from '../api/status.ts';

export interface Format {
  /** Money or units, as the installation shows it. */
  quota(quota: number): string;
  /** Amounts to be compared: with as many decimals as it takes to tell them apart. */
  quotas(quotas: readonly number[]): string[];
  /** US dollars, whatever the installation counts in: what is left at a provider. */
  dollars(value: number): string;
  /** The same for what calls cost: below a dollar, fractions of a cent count. */
  cost(quota: number): string;
  number(value: number): string;
  /** A decimal of any length, no digit lost. */
  exact(decimal: string): string;
  /** A share of 1. */
  percent(value: number): string;
  /** Unix seconds; a dash for 0, and for a time taken over from elsewhere that is on no calendar. */
  time(seconds: number): string;
  date(seconds: number): string;
  /** The time of day within the last 24 hours, else the whole time. */
  moment(seconds: number): string;
}

/** How figures read in the chosen language. */
export function useFormat(): Format {
  const { i18n } = useTranslation();
  const { quota_per_unit: quotaPerUnit, display_in_currency: inCurrency } = useStatus();
  return formatFor(i18n.language === 'en' ? 'en-GB' : 'zh-CN', quotaPerUnit, inCurrency);
}

/** The last one a browser has a date for: it throws at a later one, and the whole page would be gone. */
const lastSecond = 8_640_000_000_000;

let known: { language: string; quotaPerUnit: number; inCurrency: boolean; format: Format } | undefined;

/** Kept, since a browser takes a millisecond for it and every cell of a list asks. */
function formatFor(language: string, quotaPerUnit: number, inCurrency: boolean): Format {
  if (known?.language !== language || known.quotaPerUnit !== quotaPerUnit || known.inCurrency !== inCurrency)
    known = { language, quotaPerUnit, inCurrency, format: createFormat(language, quotaPerUnit, inCurrency) };
  return known.format;
}

function createFormat(language: string, quotaPerUnit: number, inCurrency: boolean): Format {
  const number = new Intl.NumberFormat(language);
  const exact = new Intl.NumberFormat(language, { maximumFractionDigits: 20 });
  const dollars = new Intl.NumberFormat(language, {
    style: 'currency',
    currency: 'USD',
    currencyDisplay: 'narrowSymbol',
    maximumFractionDigits: 2,
  } as const);
  const tiny = new Intl.NumberFormat(language, {
    style: 'currency',
    currency: 'USD',
    currencyDisplay: 'narrowSymbol',
    maximumSignificantDigits: 2,
  } as const);
  const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 });
  const day = { year: 'numeric', month: language === 'zh-CN' ? '2-digit' : 'short', day: '2-digit' } as const;
  const clock = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } as const;
  const time = new Intl.DateTimeFormat(language, { ...day, ...clock });
  const date = new Intl.DateTimeFormat(language, day);
  const minute = new Intl.DateTimeFormat(language, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  const at = (seconds: number, format: Intl.DateTimeFormat) =>
    seconds > 0 && seconds <= lastSecond ? format.format(new Date(seconds * 1000)) : '–';
  const grouped = (money: string) => money.replace(/\d{4,}(?=\.)/, (whole) => number.format(BigInt(whole)));
  return {
    quota: (quota) => grouped(formatQuota(quota, { inCurrency, quotaPerUnit })),
    quotas: (quotas) => formatQuotas(quotas, { inCurrency, quotaPerUnit }).map(grouped),
    dollars: (value) => (value !== 0 && Math.abs(value) < 0.01 ? tiny : dollars).format(value),
    cost: (quota) =>
      inCurrency && quotaPerUnit > 0 ? grouped(formatCost(quota, { inCurrency, quotaPerUnit })) : number.format(quota),
    number: (value) => number.format(value),
    exact: (decimal) => exact.format(decimal as `${number}`),
    percent: (value) => percent.format(value),
    time: (seconds) => at(seconds, time),
    date: (seconds) => at(seconds, date),
    moment: (seconds) => at(seconds, seconds > Date.now() / 1000 - 86_400 ? minute : time),
  };
}

/** `yyyy-MM-dd HH:mm:ss` in local time, the form people type a time in. */
export function timeText(seconds: number): string {
  const time = new Date(seconds * 1000);
  const two = (value: number) => String(value).padStart(2, '0');
  const day = [time.getFullYear(), two(time.getMonth() + 1), two(time.getDate())].join('-');
  return `${day} ${[time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join(':')}`;
}

/** Unix seconds of such a text; undefined for anything else, the 31st of February too. */
export function readTimeText(text: string): number | undefined {
  const match = /^(\d{4})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)$/.exec(text.trim());
  if (!match) return undefined;
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = match.slice(1).map(Number);
  const seconds = Math.floor(new Date(year, month - 1, day, hour, minute, second).getTime() / 1000);
  return timeText(seconds) === text.trim() ? seconds : undefined;
}
