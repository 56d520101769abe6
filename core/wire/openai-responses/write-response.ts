import type { StreamContext } from '../../canonical/chat-codec.ts';
import type { ChatRequest, Tool, ToolChoice } from '../../canonical/chat-request.ts';
import type { Usage } from '../../canonical/usage.ts';
import { writeUsageExtras } from '../openai-chat/usage.ts';

export type OutputItem = Record<string, unknown> & { id: string; type: string };

/** The `response` object with every member the official SDKs read; settings are echoed from the request. */
export interface ResponseObject {
  id: string;
  object: 'response';
  created_at: number;
  status: 'in_progress' | 'completed' | 'incomplete' | 'failed';
  error: { code: string; message: string } | null;
  incomplete_details: { reason: string } | null;
  model: string;
  output: OutputItem[];
  usage: Record<string, unknown> | null;
  [setting: string]: unknown;
}

export function responseObject({ identity, request }: StreamContext, status: ResponseObject['status']): ResponseObject {
  const { sampling, output, reasoning } = request;
  return {
    id: `resp_${identity.id}`,
    object: 'response',
    created_at: identity.created,
    status,
    background: false,
    error: null,
    incomplete_details: null,
    instructions: null,
    max_output_tokens: request.maxOutput ?? null,
    model: identity.model,
    output: [],
    parallel_tool_calls: request.parallelTools ?? true,
    previous_response_id: request.previousResponseId ?? null,
    reasoning: { effort: effortOf(reasoning), summary: reasoning?.visible === 'summary' ? 'auto' : null },
    // What cannot be fetched again is not stored.
    store: false,
    temperature: sampling.temperature ?? 1,
    text: { format: formatOf(output), ...(output.verbosity && { verbosity: output.verbosity }) },
    tool_choice: choiceOf(request.toolChoice),
    tools: toolsOf(request.tools),
    top_p: sampling.topP ?? 1,
    truncation: 'disabled',
    usage: null,
    user: request.userId ?? null,
    metadata: request.metadata ?? {},
  };
}

export function writeResponsesUsage(usage: Usage): Record<string, unknown> {
  return {
    input_tokens: usage.prompt,
    input_tokens_details: {
      cached_tokens: usage.cachedRead,
      cache_write_tokens: usage.cacheWrite,
      ...(usage.audioInput > 0 && { audio_tokens: usage.audioInput }),
      ...(usage.imageInput && { image_tokens: usage.imageInput }),
    },
    output_tokens: usage.completion,
    output_tokens_details: {
      reasoning_tokens: usage.reasoning,
      ...(usage.audioOutput > 0 && { audio_tokens: usage.audioOutput }),
      ...(usage.imageOutput && { image_tokens: usage.imageOutput }),
    },
    total_tokens: usage.prompt + usage.completion,
    ...writeUsageExtras(usage),
  };
}

function effortOf(reasoning: ChatRequest['reasoning']): string | null {
  if (reasoning?.mode === 'off') return 'none';
  return reasoning?.effort ?? null;
}

function formatOf(output: ChatRequest['output']): Record<string, unknown> {
  if (output.kind !== 'schema') return { type: output.kind === 'json' ? 'json_object' : 'text' };
  const { name, schema, strict = false, description } = output;
  return { type: 'json_schema', name, schema, strict, ...(description !== undefined && { description }) };
}

function choiceOf(choice: ToolChoice | undefined): unknown {
  if (choice === undefined) return 'auto';
  if (choice.mode === 'named') return { type: 'function', name: choice.name };
  if (choice.mode !== 'allowed') return choice.mode;
  const tools = choice.names.map((name) => ({ type: 'function', name }));
  return { type: 'allowed_tools', mode: choice.required ? 'required' : 'auto', tools };
}

/** Tools of one namespace stand together again, at the place of the first. */
export function toolsOf(tools: readonly Tool[]): Record<string, unknown>[] {
  const written: Record<string, unknown>[] = [];
  const namespaces = new Map<string, Record<string, unknown>[]>();
  for (const tool of tools) {
    const namespace = tool.kind === 'function' ? tool.namespace : undefined;
    if (namespace === undefined) {
      written.push(toolOf(tool));
      continue;
    }
    const members = namespaces.get(namespace) ?? [];
    if (members.length === 0) written.push({ type: 'namespace', name: namespace, description: '', tools: members });
    namespaces.set(namespace, members);
    members.push(toolOf(tool));
  }
  return written;
}

function toolOf(tool: Tool): Record<string, unknown> {
  if (tool.kind === 'hosted') return tool.raw;
  const description = tool.description ?? null;
  if (tool.kind === 'custom') {
    return { type: 'custom', name: tool.name, description, format: tool.grammar ?? { type: 'text' } };
  }
  const { schema = null, strict = null } = tool;
  return { type: 'function', name: innerName(tool.name, tool.namespace), description, parameters: schema, strict };
}

/** A tool's own name inside its namespace. */
export function innerName(name: string, namespace: string | undefined): string {
  return namespace === undefined ? name : name.slice(namespace.length + 2);
}
