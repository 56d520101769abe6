import type { z } from 'zod';
import { AppError } from '../errors/app-error.ts';

/** The body in the schema's shape; the first thing that is wrong with it becomes the message. */
export function parseInput<S extends z.ZodType>(schema: S, input: unknown): z.output<S> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = issue?.path.join('.');
  throw new AppError('input.invalid', { reason: [place, issue?.message].filter(Boolean).join(': ') });
}
