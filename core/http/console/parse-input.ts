import type { z } from 'zod';
import { AppError, type Language } from '../../errors/app-error.ts';
import { issuesInChinese, messageZh } from '../../errors/issue-text.ts';

/** The input in the schema's shape; the first thing that is wrong with it becomes the message. */
export function parseInput<S extends z.ZodType>(
  schema: S,
  input: unknown,
  language: Language = 'en',
  code: 'input.invalid' | 'body.invalid' = 'input.invalid',
): z.output<S> {
  const parsed = schema.safeParse(input, language === 'zh' ? issuesInChinese : undefined);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  // A schema's own message is English whatever its kind; what zod says itself is in its locale already.
  const message = language === 'zh' ? messageZh(issue?.message ?? '') : issue?.message;
  const isSentence = issue?.code === 'custom' && issue.params?.sentence === true;
  const place = isSentence ? '' : issue?.path.join('.');
  throw new AppError(code, { reason: [place, message].filter(Boolean).join(': ') });
}
