import type { Tool } from '../../canonical/chat-request.ts';
import { isStep, type Steps } from '../../lib/steps.ts';
import type { BodyReader } from '../body-reader.ts';
import { toJsonSchema } from './read-schema.ts';
import { mapStructures, structure } from './structure.ts';

/** One entry of `tools` declares functions, or names tools that the upstream runs. */
export function* readTools(body: BodyReader): Steps<Tool[]> {
  const tools: Tool[] = [];
  for (const [index, value] of (body.list('tools') ?? []).entries()) {
    if (isStep(index)) yield;
    const entry = structure(value, `tools.${index}`);
    for (const tool of yield* mapStructures(entry, 'functionDeclarations', readFunction)) tools.push(tool);
    for (const [type, raw] of Object.entries(entry.rest())) tools.push({ kind: 'hosted', type, raw: { [type]: raw } });
  }
  return tools;
}

function readFunction(declaration: BodyReader): Tool {
  const subset = declaration.plain('parameters');
  const schema = declaration.plain('parametersJsonSchema') ?? (subset && toJsonSchema(subset));
  const description = declaration.text('description');
  const name = declaration.requireText('name');
  const extras = declaration.rest();
  return {
    kind: 'function',
    name,
    ...(description !== undefined && { description }),
    ...(schema && { schema }),
    ...(Object.keys(extras).length > 0 && { extras }),
  };
}
