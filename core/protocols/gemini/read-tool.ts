import type { Tool } from '../../canonical/chat-request.ts';
import type { BodyReader } from '../../wire/body-reader.ts';
import { structures } from '../../wire/gemini/structure.ts';
import { toJsonSchema } from './read-schema.ts';

/** One entry of `tools` declares functions, or names tools that the upstream runs. */
export function readTools(entries: BodyReader[]): Tool[] {
  return entries.flatMap((entry) => {
    const functions = structures(entry, 'functionDeclarations').map(readFunction);
    const hosted = Object.entries(entry.rest()).map(
      ([type, value]): Tool => ({ kind: 'hosted', type, raw: { [type]: value } }),
    );
    return [...functions, ...hosted];
  });
}

function readFunction(declaration: BodyReader): Tool {
  const subset = declaration.plain('parameters');
  const schema = declaration.plain('parametersJsonSchema') ?? (subset && toJsonSchema(subset));
  const description = declaration.text('description');
  return {
    kind: 'function',
    name: declaration.requireText('name'),
    ...(description !== undefined && { description }),
    ...(schema && { schema }),
  };
}
