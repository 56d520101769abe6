import { zodResolver } from '@hookform/resolvers/zod';
import type { FieldValues, Resolver } from 'react-hook-form';
import type { z } from 'zod';
import '../../../../core/text/issue.ts';

type Issue = z.core.$ZodRawIssue;

/** An empty field is not a text that is too short. */
const isMissing = ({ code, input, origin }: Issue) =>
  (code === 'too_small' && origin === 'string' && input === '') || (code === 'invalid_type' && input === undefined);

/** What is wrong comes as a code, and is put into words where it is shown. */
export function checkOf<Input extends FieldValues, Output>(
  schema: z.ZodType<Output, Input>,
): Resolver<Input, unknown, Output> {
  return zodResolver(schema, { error: (issue) => (isMissing(issue) ? 'shell:form.required' : undefined) });
}
