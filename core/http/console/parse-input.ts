import type { z } from 'zod';
import { AppError } from '../../errors/app-error.ts';
import { issueAt } from '../../text/coded.ts';
import '../../text/issue.ts';

/** The input in the schema's shape; the first thing that is wrong with it becomes the message. */
export function parseInput<S extends z.ZodType>(
  schema: S,
  input: unknown,
  code: 'input.invalid' | 'body.invalid' = 'input.invalid',
): z.output<S> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const isSentence = issue?.code === 'custom' && issue.params?.sentence === true;
  const place = isSentence ? '' : (issue?.path.join('.') ?? '');
  throw new AppError(code, { reason: issueAt(place, issue?.message ?? '') });
}
