import { z } from 'zod';
import { AppError } from '../errors/app-error.ts';
import { coded } from '../text/coded.ts';

export function list(value: string | undefined): string[] {
  return (value ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
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
