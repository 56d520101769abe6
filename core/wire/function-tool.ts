import type { Tool } from '../canonical/chat-request.ts';
import type { BodyReader } from './body-reader.ts';

/** The definition of a function; formats differ in the name of its schema. */
export function readFunctionTool(definition: BodyReader, schemaKey: string): Extract<Tool, { kind: 'function' }> {
  const name = definition.requireText('name');
  const description = definition.text('description');
  const schema = definition.plain(schemaKey);
  const strict = definition.boolean('strict');
  return {
    kind: 'function',
    name,
    ...(description !== undefined && { description }),
    ...(schema && { schema }),
    ...(strict !== undefined && { strict }),
  };
}
