import type { JsonObject } from '../../../core/lib/json-value.ts';
import {
  dataUrl,
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

// OpenAI sheet, section 3.
const known = [
  'model',
  'messages',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'response_format',
  'stop',
  'stream',
  'max_completion_tokens',
  'max_tokens',
  'temperature',
  'top_p',
  'frequency_penalty',
  'presence_penalty',
  'seed',
  'logit_bias',
  'logprobs',
  'top_logprobs',
  'n',
  'user',
  'safety_identifier',
  'prompt_cache_key',
  'stream_options',
  'reasoning_effort',
  'verbosity',
  'service_tier',
  'modalities',
  'audio',
  'prediction',
  'prompt_cache_options',
  'prompt_cache_retention',
  'store',
  'metadata',
  'web_search_options',
];
// DeepSeek sheet.
const knownByDeepSeek = [
  'model',
  'messages',
  'tools',
  'tool_choice',
  'response_format',
  'stop',
  'stream',
  'stream_options',
  'thinking',
  'max_tokens',
  'temperature',
  'top_p',
  'frequency_penalty',
  'presence_penalty',
  'logprobs',
  'top_logprobs',
  'reasoning_effort',
];
const finishNames = {
  stop: 'stop',
  length: 'length',
  tool: 'tool_calls',
  refusal: 'content_filter',
  stopSequence: 'stop',
};

function refuse(body: JsonObject, { stream, model }: WireCall): string | undefined {
  const isDeepSeek = model.startsWith('deepseek');
  const [unknown] = unknownMembers(body, isDeepSeek ? knownByDeepSeek : known);
  if (unknown) return `Unrecognized request argument supplied: ${unknown}`;
  const tools = listOf(body.tools);
  if (!isDeepSeek && body.max_tokens !== undefined)
    return "Unsupported parameter: 'max_tokens' is not supported with this model.";
  if (body.stream_options !== undefined && !stream) return "'stream_options' is only allowed when 'stream' is enabled.";
  if (tools.length === 0 && (body.tool_choice ?? body.parallel_tool_calls) !== undefined)
    return "'tool_choice' and 'parallel_tool_calls' are only allowed when 'tools' are specified.";
  if (listOf(body.stop).length > (isDeepSeek ? 16 : 4)) return "Invalid 'stop': array too long.";
  const format = recordOf(body.response_format);
  if (isDeepSeek && format.type === 'json_schema') return 'This response_format type is unavailable now';
  if (format.type === 'json_object' && !/json/i.test(JSON.stringify(body.messages)))
    return "'messages' must contain the word 'json' in some form";
  for (const tool of tools) {
    if (tool.type !== 'function' && tool.type !== 'custom') return `Invalid value: '${String(tool.type)}'.`;
    const name = String(recordOf(tool.function ?? tool.custom).name);
    if (!/^[A-Za-z0-9_-]{1,64}$/.test(name)) return `Invalid 'tools[0].function.name': ${name}`;
  }
  return refuseMessages(listOf(body.messages), isDeepSeek, recordOf(body.thinking).type !== 'disabled');
}

const partTypes = ['text', 'image_url', 'input_audio', 'file', 'refusal'];

function refuseMessages(messages: JsonObject[], isDeepSeek: boolean, thinks: boolean): string | undefined {
  let open: string[] = [];
  for (const [index, message] of messages.entries()) {
    const role = String(message.role);
    if (!['system', 'user', 'assistant', 'tool', ...(isDeepSeek ? [] : ['developer'])].includes(role))
      return `Invalid value: '${role}' at messages[${index}].role`;
    if (role === 'tool') {
      const id = String(message.tool_call_id);
      if (!open.includes(id))
        return "messages with role 'tool' must be a response to a preceding message with 'tool_calls'.";
      open = open.filter((one) => one !== id);
      if (listOf(message.content).some(({ type }) => type !== 'text')) return 'Invalid content type in a tool message.';
      continue;
    }
    if (open.length > 0)
      return `An assistant message with 'tool_calls' must be followed by tool messages: ${open.join(', ')}`;
    const calls = listOf(message.tool_calls);
    if (role === 'assistant') {
      if (message.content === undefined && calls.length === 0) return `Missing content at messages[${index}]`;
      if (Array.isArray(message.tool_calls) && calls.length === 0)
        return `Empty array at messages[${index}].tool_calls`;
      for (const call of calls)
        if (typeof recordOf(call.function).arguments !== 'string') return 'arguments: no string';
      if (isDeepSeek && thinks && calls.length > 0 && typeof message.reasoning_content !== 'string')
        return 'The `reasoning_content` in the thinking mode must be passed back to the API.';
      if (!isDeepSeek && message.reasoning_content !== undefined)
        return `Unknown parameter: messages[${index}].reasoning_content`;
      open = calls.map(({ id }) => String(id));
    }
    for (const { type } of listOf(message.content)) {
      if (!partTypes.includes(String(type))) return `Invalid value: '${String(type)}' at messages[${index}].content`;
      if (isDeepSeek && type !== 'text')
        return `messages[${index}]: unknown variant \`${String(type)}\`, expected \`text\``;
    }
    if (Array.isArray(message.content) && message.content.length === 0) return 'Invalid content: empty array';
  }
  return open.length > 0 ? 'The last tool calls have no results.' : undefined;
}

function read(body: JsonObject): Seen {
  const messages = listOf(body.messages);
  const isSystem = ({ role }: JsonObject) => role === 'system' || role === 'developer';
  const choice = body.tool_choice;
  const schema = recordOf(recordOf(body.response_format).json_schema).schema;
  return {
    system: messages.filter(isSystem).flatMap(textsOf).join('\n\n'),
    turns: messages.filter((message) => !isSystem(message)).map(readTurn),
    tools: listOf(body.tools).map((tool) => String(recordOf(tool.function).name)),
    choice:
      typeof choice === 'object' ? { name: String(recordOf(recordOf(choice).function).name) } : (choice as 'auto'),
    schema: schema as JsonObject | undefined,
    thinking: body.reasoning_effort ?? recordOf(body.thinking).type,
    stop: [body.stop ?? []].flat() as string[],
    maxTokens: (body.max_completion_tokens ?? body.max_tokens) as number | undefined,
    marks: (JSON.stringify(body).match(/"prompt_cache_breakpoint"/g) ?? []).length,
  };
}

function textsOf({ content }: JsonObject): string[] {
  return typeof content === 'string' ? [content] : listOf(content).map(({ text }) => String(text ?? ''));
}

function readTurn(message: JsonObject): Seen['turns'][number] {
  const role = message.role as 'user' | 'assistant' | 'tool';
  if (role === 'tool') return ['tool', { result: textsOf(message).join('') }];
  const thought = message.reasoning_content;
  const content = typeof message.content === 'string' ? [message.content] : listOf(message.content).map(readPart);
  const calls = listOf(message.tool_calls).map(({ function: called }): SeenPart => {
    const { name, arguments: text } = recordOf(called);
    return { call: String(name), input: JSON.parse(String(text)) };
  });
  const thoughts: SeenPart[] = thought ? [{ thought: String(thought), signature: '' }] : [];
  return [role, ...thoughts, ...content.filter((part) => part !== ''), ...calls];
}

function readPart(part: JsonObject): SeenPart {
  if (part.type === 'image_url') {
    const { url } = recordOf(part.image_url);
    const data = dataUrl(url);
    return data === undefined ? { pictureUrl: String(url) } : { picture: data };
  }
  if (part.type === 'file') return { pdf: dataUrl(recordOf(part.file).file_data) ?? '' };
  return String(part.text);
}

function usageOf({ prompt, cached, written, completion, reasoning }: WireUsage, model: string): JsonObject {
  const shared = { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
  if (model.startsWith('deepseek')) {
    return {
      ...shared,
      prompt_cache_hit_tokens: cached,
      prompt_cache_miss_tokens: prompt - cached,
      prompt_tokens_details: { cached_tokens: cached },
      completion_tokens_details: { reasoning_tokens: reasoning },
    };
  }
  return {
    ...shared,
    prompt_tokens_details: { cached_tokens: cached, cache_write_tokens: written, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: reasoning, audio_tokens: 0 },
  };
}

const fixed = { id: 'chatcmpl-m1', created: 1_767_322_800 };

function whole({ parts, finish, usage }: Say, model: string): JsonObject {
  const texts = parts.flatMap((part) => ('text' in part ? [part.text] : []));
  const thoughts = model.startsWith('deepseek')
    ? parts.flatMap((part) => ('thought' in part ? [part.thought] : []))
    : [];
  const calls = parts.flatMap((part) => ('calls' in part ? part.calls : []));
  const text = texts.join('');
  const message = {
    role: 'assistant',
    content: text === '' ? null : text,
    ...(thoughts.length > 0 && { reasoning_content: thoughts.join('') }),
    refusal: null,
    ...(calls.length > 0 && {
      tool_calls: calls.map(({ id, name, input }) => ({
        id,
        type: 'function',
        function: { name, arguments: argumentsOf(input, model) },
      })),
    }),
  };
  const choice = { index: 0, message, logprobs: null, finish_reason: finishNames[finish] };
  return { ...fixed, object: 'chat.completion', model, choices: [choice], usage: usageOf(usage, model) };
}

function events({ parts, finish, usage }: Say, model: string): WireEvent[] {
  const chunk = (delta: JsonObject, reason: string | null = null): WireEvent => ({
    data: {
      ...fixed,
      object: 'chat.completion.chunk',
      model,
      choices: [{ index: 0, delta, finish_reason: reason }],
      usage: null,
    },
  });
  const told = parts.flatMap((part): WireEvent[] => {
    if ('text' in part) return piecesOf(part.text).map((text) => chunk({ content: text }));
    if ('thought' in part)
      return model.startsWith('deepseek')
        ? piecesOf(part.thought).map((text) => chunk({ reasoning_content: text }))
        : [];
    return callChunks(part.calls, model, chunk);
  });
  const last = { ...fixed, object: 'chat.completion.chunk', model, choices: [], usage: usageOf(usage, model) };
  return [
    chunk({ role: 'assistant', content: '' }),
    ...told,
    chunk({}, finishNames[finish]),
    { data: last },
    { data: '[DONE]' },
  ];
}

/** Look-alikes have nothing at all for no arguments. */
function argumentsOf(input: JsonObject | undefined, model: string): string {
  if (input) return JSON.stringify(input);
  return model.startsWith('deepseek') ? '' : '{}';
}

/** Heads first, then the arguments of all calls in turns. */
function callChunks(
  calls: Extract<Say['parts'][number], { calls: unknown }>['calls'],
  model: string,
  chunk: (delta: JsonObject) => WireEvent,
): WireEvent[] {
  const heads = calls.map(({ id, name }, index) =>
    chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }),
  );
  const pieces = calls.map(({ input }) => piecesOf(argumentsOf(input, model)).filter(Boolean));
  const turns = [0, 1].flatMap((turn) =>
    pieces.flatMap((own, index) =>
      own[turn] === undefined ? [] : [chunk({ tool_calls: [{ index, function: { arguments: own[turn] } }] })],
    ),
  );
  return [...heads, ...turns];
}

const errorTypes: Record<number, [type: string, code: string | null]> = {
  400: ['invalid_request_error', null],
  401: ['invalid_request_error', 'invalid_api_key'],
  429: ['requests', 'rate_limit_exceeded'],
  500: ['server_error', null],
};

export function openAiError(status: number, message: string): JsonObject {
  const [type, code] = errorTypes[status] ?? ['server_error', null];
  return { error: { message, type, param: null, code } };
}

export const openaiChatWire: Wire = {
  refuse,
  read,
  whole,
  events,
  error: openAiError,
  errorEvent: (message) => ({ data: openAiError(500, message) }),
};
