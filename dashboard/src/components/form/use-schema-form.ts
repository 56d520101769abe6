import { zodResolver } from '@hookform/resolvers/zod';
import { type DefaultValues, type FieldValues, type UseFormReturn, useForm } from 'react-hook-form';
import type { z } from 'zod';
import zhCN from 'zod/v4/locales/zh-CN.js';
import { currentLanguage } from '../../i18n/language.ts';

export type SchemaForm<Input extends FieldValues, Output> = UseFormReturn<Input, unknown, Output>;

const chinese = zhCN().localeError;
type Issue = Parameters<typeof chinese>[0];

const ownSentence = (issue: Issue) => (currentLanguage() === 'zh' ? chinese(issue) : undefined);

/** An empty field is not a text that is too short. */
const isMissing = ({ code, input, origin }: Issue) =>
  (code === 'too_small' && origin === 'string' && input === '') || (code === 'invalid_type' && input === undefined);

/**
 * A form held to the schema the server checks with: looked at when a field is left, then at each change. `values` are what is loaded,
 * and give each field its start.
 */
export function useSchemaForm<Input extends FieldValues, Output extends FieldValues>(
  schema: z.ZodType<Output, Input>,
  values: DefaultValues<Input>,
): SchemaForm<Input, Output> {
  return useForm<Input, unknown, Output>({
    // zod's own sentences come in the language of the page, the schema's are translated where they are shown.
    resolver: zodResolver(schema, {
      error: (issue) => (isMissing(issue) ? 'shell:form.required' : ownSentence(issue)),
    }),
    defaultValues: values,
    mode: 'onTouched',
  });
}

/** What somebody changed, in the form the schema gives it: nothing else is sent. */
export function changedValues<Input extends FieldValues, Output extends FieldValues>(
  form: SchemaForm<Input, Output>,
  output: Output,
): Partial<Output> {
  const loaded: Record<string, unknown> = form.formState.defaultValues ?? {};
  const current: Record<string, unknown> = form.getValues();
  const isChanged = (name: string) => JSON.stringify(current[name]) !== JSON.stringify(loaded[name]);
  return Object.fromEntries(Object.entries(output).filter(([name]) => isChanged(name))) as Partial<Output>;
}
