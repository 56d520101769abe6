import i18next from 'i18next';
import { z } from 'zod';
import { jsonErrorPosition } from '../../../../core/lib/json-position.ts';

/** Says at which line and column JSON breaks off, before `schema` looks at what it means. */
export function jsonTextSchema<Output>(schema: z.ZodType<Output>) {
  return z
    .string()
    .superRefine((text, context) => {
      const position = text.trim() === '' ? undefined : jsonErrorPosition(text);
      if (position) context.addIssue(i18next.t('shell:json.brokenAt', { ...position }));
    })
    .pipe(schema as z.ZodType<Output, string>);
}
