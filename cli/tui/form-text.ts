import { z } from 'zod';
import { parseQuota } from '../../core/billing/parse-quota.ts';
import { formatQuota } from '../../core/billing/quota.ts';
import { AppError } from '../../core/errors/app-error.ts';
import { nowSeconds } from '../../core/lib/clock.ts';
import { neverExpires } from '../../core/schemas/token-status.ts';
import { formatTime, parseExpiry } from '../flag/value.ts';
import { quotaFormat } from '../print/quota-format.ts';
import type { Environment } from './environment.ts';
import type { FormValues } from './form-field.ts';
import { grouped } from './grouped.ts';

type Reader = Pick<Environment, 'app'>;

/** A field people write in their own way (`$5`, `30d`), read and given to the shared schema; what cannot be read is said under it. */
export function written<S extends z.ZodType>(
  schema: S,
  read: (text: string) => unknown,
  { language }: Pick<Environment, 'language'>,
) {
  return z
    .string()
    .transform((text, context): unknown => {
      try {
        return read(text.trim());
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        const { reason } = error.details;
        context.addIssue(error.code === 'input.invalid' ? String(reason) : error.text(language));
        return z.NEVER;
      }
    })
    .pipe(schema as z.ZodType<z.output<S>, unknown>);
}

/** Quota as `500000`, `500k` or `$1`, with a sign before it where something may be taken away. */
export function readQuota({ app }: Reader): (text: string) => number {
  const quotaPerUnit = app.services.options.get('QuotaPerUnit');
  return (text) => {
    const [, minus = '', amount = ''] = /^([+-]?)\s*(.*)$/s.exec(text) ?? [];
    return (minus === '-' ? -1 : 1) * parseQuota(amount, quotaPerUnit);
  };
}

/** Fills a quota field: in dollars where these say exactly what it is. */
export function writeQuota({ app }: Reader): (units: number) => string {
  const { inCurrency, quotaPerUnit } = quotaFormat(app.services.options);
  return (units) => {
    const dollars = `$${units / quotaPerUnit}`.replace(/\.\d$/, '$&0');
    return inCurrency && /^\$\d+(\.\d+)?$/.test(dollars) && parseQuota(dollars, quotaPerUnit) === units
      ? dollars
      : String(units);
  };
}

/** A hint that begins with what the units written in field `name` are worth: `5` is not five dollars. */
export const worthHint =
  (name: string, hint: string, { app }: Reader) =>
  (values: FormValues): string => {
    const format = quotaFormat(app.services.options);
    const [, minus = '', amount = ''] = /^([+-]?)\s*([\d.]+[kmb]?)$/i.exec(values[name]?.trim() ?? '') ?? [];
    if (amount === '' || !format.inCurrency) return hint;
    try {
      return `= ${minus}${grouped(formatQuota(parseQuota(amount, format.quotaPerUnit), format))} · ${hint}`;
    } catch {
      return hint;
    }
  };

/** `30d`, a date or nothing; `endless` is what stands for never. */
export const readExpiry =
  (endless: number) =>
  (text: string): number => {
    const time = parseExpiry(text || 'never', nowSeconds());
    return time === neverExpires ? endless : time;
  };

/** Fills an expiry field; '' for never. */
export const writeExpiry = (time: number): string => (time > 0 ? formatTime(time) : '');

/**
 * What was written over. The rest is left out of an edit: it stays exactly what it is, whatever its text would be read as, and what
 * another person has changed since the form was opened stays, too.
 */
export function touched(values: FormValues, initial: FormValues): FormValues {
  return Object.fromEntries(Object.entries(values).filter(([name, text]) => text !== (initial[name] ?? '')));
}
