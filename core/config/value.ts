import { z } from 'zod';
import { AppError } from '../errors/app-error.ts';
import { splitList } from '../lib/comma-list.ts';
import { coded } from '../text/coded.ts';

export function list(value: string | undefined): string[] {
  return splitList(value ?? '');
}

export function whole(name: string, value: string | undefined, fallback: number, min: number, max: number): number {
  if (value === undefined) return fallback;
  const parsed = z.string().regex(/^\d+$/).transform(Number).pipe(z.number().int().min(min).max(max)).safeParse(value);
  if (!parsed.success)
    throw new AppError('config.invalid', {
      name,
      value,
      allowed: coded('input.wholeBetween', { min, max }),
    });
  return parsed.data;
}

export function bytes(name: string, value: string | undefined, fallback: number): number {
  const match = value === undefined ? undefined : /^(\d+)\s*(KiB|MiB|GiB|)$/i.exec(value);
  if (match === undefined) return fallback;
  const factors: Record<string, number> = {
    '': 1,
    kib: 1024,
    mib: 1024 ** 2,
    gib: 1024 ** 3,
  };
  const count = match ? Number(match[1]) * (factors[(match[2] ?? '').toLowerCase()] ?? 1) : 0;
  // None at all would refuse every body, which is not what a 0 means elsewhere.
  if (count === 0 || !Number.isSafeInteger(count))
    throw new AppError('config.invalid', {
      name,
      value: value ?? '',
      allowed: coded('input.byteCount'),
    });
  return count;
}

export function bool(name: string, value: string | undefined, fallback: boolean): boolean {
  return choice(name, value, fallback ? 'true' : 'false', ['true', 'false']) === 'true';
}

export function choice<T extends string>(
  name: string,
  value: string | undefined,
  fallback: T,
  allowed: readonly T[],
): T {
  if (value === undefined) return fallback;
  const found = allowed.find((candidate) => candidate === value);
  if (!found)
    throw new AppError('config.invalid', {
      name,
      value,
      allowed: allowed.join(', '),
    });
  return found;
}

/** A blank one would be a file or folder without a name to see. */
export function filePath(name: string, value: string | undefined): string | undefined {
  if (value === undefined || value.trim() !== '') return value;
  throw new AppError('config.invalid', { name, value, allowed: coded('input.path') });
}

const secretForms = {
  tokenKey: { form: /^(sk-)?[0-9A-Za-z]{16,128}$/, allowed: coded('input.tokenKey') },
  // What fits in a header as it is.
  accessToken: { form: /^[\x21-\x7e]{1,256}$/, allowed: coded('input.accessToken') },
};

/** Its value is not repeated: a slip of the hand leaves most of it right. */
export function secret(name: string, value: string | undefined, kind: keyof typeof secretForms): string | undefined {
  const { form, allowed } = secretForms[kind];
  if (value === undefined || form.test(value)) return value;
  throw new AppError('config.invalid', { name, value: '********', allowed });
}
