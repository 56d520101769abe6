import { zodResolver } from '@hookform/resolvers/zod';
import type { FieldValues, Resolver } from 'react-hook-form';
import type { z } from 'zod';
import zhCN from 'zod/v4/locales/zh-CN.js';
import { currentLanguage } from '../../i18n/language.ts';

const chinese = zhCN().localeError;
type Issue = Parameters<typeof chinese>[0];

const ownSentence = (issue: Issue) => (currentLanguage() === 'zh' ? chinese(issue) : undefined);

/** An empty field is not a text that is too short. */
const isMissing = ({ code, input, origin }: Issue) =>
  (code === 'too_small' && origin === 'string' && input === '') || (code === 'invalid_type' && input === undefined);

/** zod's own sentences come in the language of the page, the schema's are translated where they are shown. */
export function checkOf<Input extends FieldValues, Output>(
  schema: z.ZodType<Output, Input>,
): Resolver<Input, unknown, Output> {
  return zodResolver(schema, { error: (issue) => (isMissing(issue) ? 'shell:form.required' : ownSentence(issue)) });
}
