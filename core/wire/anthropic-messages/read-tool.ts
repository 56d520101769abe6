import type { Tool, ToolChoice } from '../../canonical/chat-request.ts';
import type { Steps } from '../../lib/steps.ts';
import type { BodyReader } from '../body-reader.ts';
import { readFunctionTool } from '../function-tool.ts';
import { wrong } from '../request-field.ts';
import { readMark } from './read-request-block.ts';

/** The client's own tools; those that Anthropic runs or defines have a type with a date. */
export function readTools(body: BodyReader): Steps<Tool[]> {
  return body.mapRecords('tools', (tool): Tool => {
    const type = tool.text('type') ?? 'custom';
    return type === 'custom' ? readOwn(tool) : { kind: 'hosted', type, raw: tool.whole() };
  });
}

function readOwn(tool: BodyReader): Tool {
  const definition = readFunctionTool(tool, 'input_schema');
  const mark = readMark(tool);
  const extras = tool.rest();
  return {
    ...definition,
    ...mark,
    ...(Object.keys(extras).length > 0 && { extras }),
  };
}

const modes = { auto: 'auto', any: 'required', none: 'none' } as const;

export function readToolChoice(choice: BodyReader | undefined): { choice?: ToolChoice; parallel?: boolean } {
  if (!choice) return {};
  const type = choice.requireText('type');
  // The other way round: Anthropic names the exception.
  const parallel = choice.boolean('disable_parallel_tool_use') ? { parallel: false } : {};
  if (type === 'tool') return { choice: { mode: 'named', name: choice.requireText('name') }, ...parallel };
  if (!Object.hasOwn(modes, type))
    throw wrong('request.notOneOf', choice.at('type'), { allowed: 'auto, any, tool, none' });
  return { choice: { mode: modes[type as keyof typeof modes] }, ...parallel };
}
