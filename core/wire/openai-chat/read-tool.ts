import type { ChatRequest, Tool, ToolChoice } from '../../canonical/chat-request.ts';
import type { Steps } from '../../lib/steps.ts';
import { BodyReader } from '../body-reader.ts';
import { readFunctionTool } from '../function-tool.ts';
import { wrong } from '../request-field.ts';
import { readMark } from './read-content.ts';

/** `tools`, the `functions` of old, and `web_search_options`, which is a tool in all but name. */
export function* readTools(body: BodyReader): Steps<Tool[]> {
  const search = body.plain('web_search_options');
  return [
    ...(yield* body.mapRecords('tools', readTool)),
    ...(yield* body.mapRecords('functions', (definition) => readFunctionTool(definition, 'parameters'))),
    ...(search ? [{ kind: 'hosted', type: 'web_search', raw: search } as const] : []),
  ];
}

function readTool(tool: BodyReader): Tool {
  const type = tool.text('type') ?? 'function';
  if (type === 'function')
    return { ...readFunctionTool(requireRecord(tool, 'function'), 'parameters'), ...readMark(tool) };
  if (type === 'custom') {
    const custom = requireRecord(tool, 'custom');
    const description = custom.text('description');
    return {
      kind: 'custom',
      name: custom.requireText('name'),
      ...(description !== undefined && { description }),
      grammar: custom.raw('format'),
    };
  }
  return { kind: 'hosted', type, raw: tool.whole() };
}

const modes = ['none', 'auto', 'required'] as const;

export function readToolChoice(body: BodyReader): ChatRequest['toolChoice'] {
  const choice = body.raw('tool_choice');
  if (choice !== undefined) return readChoice(choice, 'tool_choice');
  const old = body.raw('function_call');
  if (old === undefined) return undefined;
  return typeof old === 'string' ? readMode(old, 'function_call') : nameIn(BodyReader.of(old, 'function_call'));
}

function readChoice(choice: unknown, field: string): ToolChoice {
  if (typeof choice === 'string') return readMode(choice, field);
  const object = BodyReader.of(choice, field);
  const type = object.requireText('type');
  if (type !== 'allowed_tools') return nameIn(object.record(type) ?? object);
  const allowed = requireRecord(object, 'allowed_tools');
  const names = allowed
    .records('tools')
    .map((tool) => nameIn(tool.record(tool.text('type') ?? 'function') ?? tool).name);
  return { mode: 'allowed', names, required: allowed.text('mode') === 'required' };
}

function readMode(text: string, field: string): ToolChoice {
  const mode = modes.find((known) => known === text);
  if (!mode) throw wrong('request.notOneOf', field, { allowed: modes.join(', ') });
  return { mode };
}

function nameIn(object: BodyReader): { mode: 'named'; name: string } {
  return { mode: 'named', name: object.requireText('name') };
}

function requireRecord(reader: BodyReader, key: string): BodyReader {
  const record = reader.record(key);
  if (!record) throw wrong('request.fieldMissing', reader.at(key));
  return record;
}
