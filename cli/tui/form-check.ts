import type { z } from 'zod';
import type { Language } from '../../core/errors/app-error.ts';
import { wordsIn } from '../../core/text/text.ts';
import type { Speak } from '../text.ts';

export type FormCheck<T> = { value: T } | { faults: Record<string, string> };

/** The schema's word on a form: the value, or what is wrong with each field, in the language of the reader. */
export function checkForm<S extends z.ZodType>(
  schema: S,
  input: unknown,
  { language, speak }: { language: Language; speak: Speak },
): FormCheck<z.output<S>> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return { value: parsed.data };
  const faults: Record<string, string> = {};
  for (const issue of parsed.error.issues) {
    const isBlank = issue.code === 'too_small' && issue.origin === 'string' && issue.minimum === 1;
    faults[String(issue.path[0] ?? '')] ??= isBlank ? speak('tui.needed') : wordsIn(language, issue.message);
  }
  return { faults };
}
