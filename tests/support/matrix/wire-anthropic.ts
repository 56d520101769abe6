import type { JsonObject } from '../../../core/lib/json-value.ts';
import {
  listOf,
  piecesOf,
  recordOf,
  type Say,
  type Seen,
  type SeenPart,
  unknownMembers,
  type Wire,
  type WireCall,
  type WireEvent,
  type WireUsage,
} from './wire.ts';

// Anthropic sheet, section 3.
const known = [
  'model',
  'max_tokens',
  'messages',
  'system',
  'stop_sequences',
  'stream',
  'metadata',
  'temperature',
  'top_p',
  'top_k',
  'tools',
  'tool_choice',
  'thinking',
  'output_config',
  'cache_control',
  'service_tier',
  'speed',
  'inference_geo',
  'container',
  'diagnostics',
  'context_management',
];
// Vertex AI and AWS sheets.
const byAddress = ['model', 'service_tier'];
const forVertex = [...known.filter((key) => !byAddress.includes(key)), 'anthropic_version', 'anthropic_beta'];
const forBedrock = forVertex.filter((key) => key !== 'stream' && key !== 'metadata');
const toolKeys = ['name', 'description', 'input_schema', 'type', 'cache_control', 'strict', 'max_uses'];
const toolMembers = [...toolKeys, 'input_examples', 'eager_input_streaming', 'defer_loading', 'allowed_callers'];

function refuse(body: JsonObject, { path, model }: WireCall): string | undefined {
  const isBedrock = path.includes('/invoke');
  const isVertex = path.includes('awPredict');
  const [unknown] = unknownMembers(body, isBedrock ? forBedrock : isVertex ? forVertex : known);
  if (unknown) return `${unknown}: Extra inputs are not permitted`;
  const version = isBedrock ? 'bedrock-2023-05-31' : isVertex ? 'vertex-2023-10-16' : undefined;
  if (body.anthropic_version !== version) return 'anthropic_version: Field required';
  if (typeof body.max_tokens !== 'number') return 'max_tokens: Field required';
  if (model.includes('4-5') && body.temperature !== undefined && body.top_p !== undefined)
    return '`temperature` and `top_p` cannot both be specified for this model.';
  for (const [index, tool] of listOf(body.tools).entries()) {
    const [extra] = unknownMembers(tool, toolMembers);
    if (extra) return `tools.${index}.${extra}: Extra inputs are not permitted`;
    if (tool.type !== undefined && tool.type !== 'custom') continue;
    if (!/^[a-zA-Z0-9_-]{1,128}$/.test(String(tool.name))) return `tools.${index}.name: String should match pattern`;
    if (recordOf(tool.input_schema).type !== 'object') return `tools.${index}.input_schema.type: Field required`;
  }
  const thinking = recordOf(body.thinking);
  const choice = recordOf(body.tool_choice).type;
  if (thinking.type === 'enabled' && (choice === 'any' || choice === 'tool'))
    return 'Thinking may not be enabled when tool_choice forces tool use.';
  if (thinking.type === 'enabled' && Number(thinking.budget_tokens) >= Number(body.max_tokens))
    return '`max_tokens` must be greater than `thinking.budget_tokens`.';
  if (thinking.type === 'adaptive' && /4-5/.test(model)) return 'adaptive thinking is not supported on this model';
  const marks = (JSON.stringify(body).match(/"cache_control"/g) ?? []).length;
  if (marks > 4) return `A maximum of 4 blocks with cache_control may be provided. Found ${marks}.`;
  const isCloud = isBedrock || isVertex;
  return refuseBlocks(listOf(body.system), 'system', isCloud) ?? refuseTurns(listOf(body.messages), isCloud, thinking);
}

function refuseTurns(messages: JsonObject[], isCloud: boolean, thinking: JsonObject): string | undefined {
  if (messages[0]?.role !== 'user') return 'messages: first message must use the "user" role';
  let open: string[] = [];
  for (const [index, { role, content }] of messages.entries()) {
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content);
    if (role !== 'user' && role !== 'assistant') return `messages.${index}.role: unexpected role`;
    const fault = refuseBlocks(blocks, `messages.${index}.content`, isCloud);
    if (fault) return fault;
    const resultIds = blocks.filter(({ type }) => type === 'tool_result').map((block) => String(block.tool_use_id));
    const isFirst = blocks.slice(0, resultIds.length).every(({ type }) => type === 'tool_result');
    if (open.some((id) => !resultIds.includes(id)) || !isFirst)
      return `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${open.join(', ')}`;
    if (resultIds.some((id) => !open.includes(id)))
      return `messages.${index}: unexpected \`tool_use_id\` in \`tool_result\``;
    const calls = blocks.filter(({ type }) => type === 'tool_use');
    if (role === 'assistant' && thinking.type === 'enabled' && calls.length > 0 && blocks[0]?.type !== 'thinking')
      return 'Expected `thinking` or `redacted_thinking`, but found `tool_use`.';
    open = calls.map(({ id }) => String(id));
  }
  const last = messages.at(-1);
  return last?.role === 'assistant' ? 'This model does not support assistant message prefill.' : undefined;
}

function refuseBlocks(blocks: JsonObject[], at: string, isCloud: boolean): string | undefined {
  for (const [index, block] of blocks.entries()) {
    const here = `${at}.${index}`;
    if (block.type === 'text' && String(block.text).trim() === '')
      return `${here}.text: text content blocks must be non-empty`;
    if (block.type === 'thinking' && !String(block.signature ?? '').startsWith('sig-anthropic'))
      return `${here}: Invalid \`signature\` in \`thinking\` block`;
    if (block.type === 'tool_use' && typeof block.input !== 'object')
      return `${here}.input: Input should be a valid dictionary`;
    if (block.type === 'tool_use' && !/^[a-zA-Z0-9_-]+$/.test(String(block.id)))
      return `${here}.id: String should match pattern`;
    const source = recordOf(block.source);
    if (source.type === 'url' && isCloud) return `${here}.source: URL sources are not supported`;
    if (
      block.type === 'image' &&
      source.type === 'base64' &&
      !/^image\/(png|jpeg|gif|webp)$/.test(String(source.media_type))
    )
      return `${here}.source.media_type: unexpected value`;
    if (block.type !== 'tool_result') continue;
    const inner = listOf(block.content);
    if (inner.some(({ cache_control: mark }) => mark)) return `${here}.content.0.cache_control: not allowed here`;
    const fault = refuseBlocks(inner, `${here}.content`, isCloud);
    if (fault) return fault;
  }
  return undefined;
}

function read(body: JsonObject): Seen {
  const choice = recordOf(body.tool_choice);
  const names = { none: 'none', auto: 'auto', any: 'required' } as const;
  const system = typeof body.system === 'string' ? [body.system] : listOf(body.system).map(({ text }) => String(text));
  return {
    system: system.join('\n\n'),
    turns: listOf(body.messages).flatMap(readTurn),
    tools: listOf(body.tools).map(({ name }) => String(name)),
    choice: choice.type === 'tool' ? { name: String(choice.name) } : names[choice.type as 'auto'],
    schema: recordOf(recordOf(body.output_config).format).schema as JsonObject | undefined,
    thinking: recordOf(body.thinking).type,
    stop: (body.stop_sequences ?? []) as string[],
    maxTokens: body.max_tokens as number,
    marks: (JSON.stringify(body).match(/"cache_control"/g) ?? []).length,
  };
}

/** Results of tools are a turn of their own in the other protocols. */
function readTurn({ role, content }: JsonObject): Seen['turns'] {
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content);
  const results = blocks.filter(({ type }) => type === 'tool_result').flatMap(readResult);
  const others = blocks.filter(({ type }) => type !== 'tool_result').map(readBlock);
  return [
    ...(results.length > 0 ? [['tool', ...results] as Seen['turns'][number]] : []),
    ...(others.length > 0 ? [[role as 'user' | 'assistant', ...others] as Seen['turns'][number]] : []),
  ];
}

function readResult({ content, is_error: isError }: JsonObject): SeenPart[] {
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content);
  const text = blocks.map((block) => (block.type === 'text' ? String(block.text) : '')).join('');
  const media = blocks.filter(({ type }) => type !== 'text').map(readBlock);
  return [{ result: text, ...(isError === true && { isError: true }) }, ...media];
}

function readBlock(block: JsonObject): SeenPart {
  const source = recordOf(block.source);
  switch (block.type) {
    case 'image':
      return source.type === 'url' ? { pictureUrl: String(source.url) } : { picture: String(source.data) };
    case 'document':
      return { pdf: String(source.data) };
    case 'tool_use':
      return { call: String(block.name), input: block.input };
    case 'thinking':
      return { thought: String(block.thinking), signature: String(block.signature) };
    default:
      return String(block.text);
  }
}

function usageOf({ prompt, cached, written, completion, reasoning }: WireUsage): JsonObject {
  return {
    input_tokens: prompt - cached - written,
    cache_creation_input_tokens: written,
    cache_read_input_tokens: cached,
    cache_creation: { ephemeral_5m_input_tokens: written, ephemeral_1h_input_tokens: 0 },
    output_tokens: completion,
    output_tokens_details: { thinking_tokens: reasoning },
    service_tier: 'standard',
  };
}

function blocksOf({ parts }: Say): JsonObject[] {
  return parts.flatMap((part): JsonObject[] => {
    if ('text' in part) return [{ type: 'text', text: part.text }];
    if ('thought' in part) return [{ type: 'thinking', thinking: part.thought, signature: part.signature }];
    return part.calls.map(({ id, name, input }) => ({ type: 'tool_use', id, name, input: input ?? {} }));
  });
}

const stopReasons = {
  stop: 'end_turn',
  length: 'max_tokens',
  tool: 'tool_use',
  refusal: 'refusal',
  stopSequence: 'stop_sequence',
};

function endOf({ finish }: Say): JsonObject {
  return { stop_reason: stopReasons[finish], stop_sequence: finish === 'stopSequence' ? 'END' : null };
}

function messageOf(say: Say, model: string): JsonObject {
  const content = blocksOf(say);
  return {
    id: 'msg_m1',
    type: 'message',
    role: 'assistant',
    model,
    content,
    ...endOf(say),
    usage: usageOf(say.usage),
  };
}

function events(say: Say, model: string): WireEvent[] {
  const start = { ...messageOf(say, model), content: [], stop_reason: null, stop_sequence: null };
  const list: JsonObject[] = [
    { type: 'message_start', message: { ...start, usage: { ...usageOf(say.usage), output_tokens: 1 } } },
    ...blocksOf(say).flatMap(blockEvents),
    { type: 'message_delta', delta: endOf(say), usage: { output_tokens: say.usage.completion } },
    { type: 'message_stop' },
  ];
  list.splice(2, 0, { type: 'ping' });
  return list.map((data) => ({ name: String(data.type), data }));
}

function blockEvents(block: JsonObject, index: number): JsonObject[] {
  const [empty, ...deltas] = deltasOf(block);
  return [
    { type: 'content_block_start', index, content_block: empty },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ];
}

/** The block as it begins, then its pieces. */
function deltasOf(block: JsonObject): JsonObject[] {
  switch (block.type) {
    case 'text':
      return [{ ...block, text: '' }, ...piecesOf(String(block.text)).map((text) => ({ type: 'text_delta', text }))];
    case 'thinking':
      return [
        { ...block, thinking: '', signature: '' },
        ...piecesOf(String(block.thinking)).map((thinking) => ({ type: 'thinking_delta', thinking })),
        { type: 'signature_delta', signature: block.signature },
      ];
    default: {
      const input = recordOf(block.input);
      const text = Object.keys(input).length === 0 ? '' : JSON.stringify(input);
      const pieces = ['', ...(text === '' ? [] : piecesOf(text))];
      return [{ ...block, input: {} }, ...pieces.map((piece) => ({ type: 'input_json_delta', partial_json: piece }))];
    }
  }
}

const errorTypes: Record<number, string> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  429: 'rate_limit_error',
  500: 'api_error',
};

function errorOf(status: number, message: string): JsonObject {
  return { type: 'error', error: { type: errorTypes[status] ?? 'api_error', message }, request_id: 'req_m1' };
}

export const anthropicWire: Wire = {
  refuse,
  read,
  whole: messageOf,
  events,
  error: errorOf,
  errorEvent: (message) => ({ name: 'error', data: { type: 'error', error: { type: 'overloaded_error', message } } }),
};
