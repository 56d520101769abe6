import type { JsonObject } from '../lib/json-value.ts';
import type { UpstreamCall } from './adapter.ts';

/** The schema a call wants its response in; undefined when it wants none, or when its body was not parsed. */
export function jsonSchemaOf({ body }: UpstreamCall): unknown {
  const format = body?.response_format;
  if (typeof format !== 'object' || format === null || !('type' in format) || format.type !== 'json_schema')
    return undefined;
  const described = 'json_schema' in format ? format.json_schema : undefined;
  return typeof described === 'object' && described !== null && 'schema' in described ? described.schema : undefined;
}

/** For vendors that know JSON but no schemas: the schema becomes the last sentence of the instructions. */
export function describeSchema(messages: JsonObject[], call: UpstreamCall): JsonObject[] {
  const schema = jsonSchemaOf(call);
  if (schema === undefined) return messages;
  const text = schemaInstruction(schema);
  const [first, ...rest] = messages;
  if (first?.role === 'system' && typeof first.content === 'string')
    return [{ ...first, content: `${first.content}\n\n${text}` }, ...rest];
  return [{ role: 'system', content: text }, ...messages];
}

export function schemaInstruction(schema: unknown): string {
  return `Answer with one JSON object that is valid against this JSON schema: ${JSON.stringify(schema)}`;
}
