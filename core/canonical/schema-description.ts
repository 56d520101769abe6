import { textOf } from '../lib/json-value.ts';
import type { OutputFormat } from './chat-request.ts';

type SchemaOutput = Extract<OutputFormat, { kind: 'schema' }>;

/** What a response's schema is for is beside it in OpenAI's form, and inside it everywhere else. */
export function describeSchema({
  schema,
  description,
}: Pick<SchemaOutput, 'schema' | 'description'>): SchemaOutput['schema'] {
  if (description === undefined) return schema;
  const own = textOf(schema.description);
  return { ...schema, description: own === '' ? description : `${description}\n\n${own}` };
}
