import type { Tool } from '../../canonical/chat-request.ts';
import { isStep, type Steps } from '../../lib/steps.ts';
import type { BodyReader } from '../body-reader.ts';

/** Between a namespace and its tool's name; other protocols have flat names. */
const separator = '__';

export function* readTools(body: BodyReader): Steps<Tool[]> {
  const tools: Tool[] = [];
  let read = 0;
  for (const tool of body.eachRecord('tools')) {
    if (isStep(read++)) yield;
    if (tool.text('type') !== 'namespace') {
      tools.push(readTool(tool));
      continue;
    }
    const namespace = tool.requireText('name');
    const inner = yield* tool.mapRecords('tools', (one) => inNamespace(readTool(one), namespace));
    for (const one of inner) tools.push(one);
  }
  return tools;
}

/** The flat name of a call that names its namespace. */
export function flatName(name: string, namespace: string | undefined): string {
  return namespace === undefined ? name : `${namespace}${separator}${name}`;
}

function readTool(tool: BodyReader): Tool {
  const type = tool.requireText('type');
  if (type !== 'function' && type !== 'custom') return { kind: 'hosted', type, raw: tool.whole() };
  const name = tool.requireText('name');
  const text = tool.text('description');
  const description = text === undefined ? {} : { description: text };
  if (type === 'custom') return { kind: 'custom', name, ...description, grammar: tool.raw('format') };
  const schema = tool.plain('parameters');
  const strict = tool.boolean('strict');
  const extras = tool.rest();
  return {
    kind: 'function',
    name,
    ...description,
    ...(schema && { schema }),
    ...(strict !== undefined && { strict }),
    ...(Object.keys(extras).length > 0 && { extras }),
  };
}

function inNamespace(tool: Tool, namespace: string): Tool {
  return tool.kind === 'function' ? { ...tool, name: flatName(tool.name, namespace), namespace } : tool;
}
