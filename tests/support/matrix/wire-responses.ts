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
import { openAiError } from './wire-openai-chat.ts';

// OpenAI sheet, section 5.
const known = [
  'model',
  'input',
  'instructions',
  'max_output_tokens',
  'max_tool_calls',
  'metadata',
  'parallel_tool_calls',
  'previous_response_id',
  'conversation',
  'store',
  'stream',
  'stream_options',
  'temperature',
  'top_p',
  'user',
  'top_logprobs',
  'text',
  'reasoning',
  'tools',
  'tool_choice',
  'truncation',
  'include',
  'background',
  'prompt',
  'context_management',
  'prompt_cache_key',
  'prompt_cache_options',
  'prompt_cache_retention',
  'service_tier',
  'safety_identifier',
  'moderation',
  'client_metadata',
];
const inputParts = ['input_text', 'input_image', 'input_file'];
const outputParts = ['output_text', 'refusal'];

function refuse(body: JsonObject, _call: WireCall): string | undefined {
  const [unknown] = unknownMembers(body, known);
  if (unknown) return `Unknown parameter: '${unknown}'.`;
  for (const tool of listOf(body.tools)) {
    const { type, name } = tool;
    if (tool.function !== undefined) return "Unknown parameter: 'tools[0].function'.";
    if (type === 'function' && !/^[A-Za-z0-9_-]{1,64}$/.test(String(name)))
      return `Invalid 'tools[0].name': ${String(name)}`;
  }
  const calls = new Set<string>();
  const finished = new Set<string>();
  for (const [index, item] of listOf(body.input).entries()) {
    const fault = refuseItem(item, `input[${index}]`, calls, finished);
    if (fault) return fault;
  }
  const missing = [...calls].find((id) => !finished.has(id));
  return missing === undefined ? undefined : `No tool output found for function call ${missing}.`;
}

function refuseItem(item: JsonObject, at: string, calls: Set<string>, finished: Set<string>): string | undefined {
  switch (item.type ?? 'message') {
    case 'message': {
      const allowed = item.role === 'assistant' ? outputParts : inputParts;
      const wrong = listOf(item.content).find(({ type }) => !allowed.includes(String(type)));
      if (wrong) return `Invalid value: '${String(wrong.type)}' at ${at}.content.`;
      return ['user', 'assistant', 'system', 'developer'].includes(String(item.role))
        ? undefined
        : `Invalid role at ${at}`;
    }
    case 'function_call':
    case 'custom_tool_call':
      if (typeof (item.arguments ?? item.input) !== 'string') return `Missing required parameter: '${at}.arguments'.`;
      calls.add(String(item.call_id));
      return undefined;
    case 'function_call_output':
    case 'custom_tool_call_output':
      if (!calls.has(String(item.call_id)))
        return `No tool call found for function call output ${String(item.call_id)}.`;
      finished.add(String(item.call_id));
      return undefined;
    case 'reasoning':
      // Codex sends null.
      if (item.content != null && !Array.isArray(item.content)) return `Invalid ${at}.content`;
      if (String(item.encrypted_content ?? '').startsWith('tollgate.'))
        return 'The encrypted content could not be verified.';
      return Array.isArray(item.summary) ? undefined : `Missing required parameter: '${at}.summary'.`;
    default:
      return undefined;
  }
}

function read(body: JsonObject): Seen {
  const items = typeof body.input === 'string' ? [{ role: 'user', content: body.input }] : listOf(body.input);
  const isSystem = ({ role }: JsonObject) => role === 'system' || role === 'developer';
  const format = recordOf(recordOf(body.text).format);
  const { tool_choice: choice } = body;
  const instructions = [body.instructions ?? [], ...items.filter(isSystem).flatMap(contentOf)].flat();
  return {
    system: instructions.join('\n\n'),
    turns: items.filter((item) => !isSystem(item)).reduce(addItem, []),
    tools: listOf(body.tools).map(({ name }) => String(name)),
    choice: typeof choice === 'object' ? { name: String(recordOf(choice).name) } : (choice as 'auto'),
    schema: format.schema as JsonObject | undefined,
    thinking: recordOf(body.reasoning).effort,
    stop: [],
    maxTokens: body.max_output_tokens as number | undefined,
    marks: (JSON.stringify(body).match(/"prompt_cache_breakpoint"/g) ?? []).length,
  };
}

/** Items of one role stand together, as they do in the other protocols. */
function addItem(turns: Seen['turns'], item: JsonObject): Seen['turns'] {
  const [role, parts] = readItem(item);
  const last = turns.at(-1);
  if (last?.[0] === role && role !== 'user') last.push(...parts);
  else turns.push([role, ...parts]);
  return turns;
}

function readItem(item: JsonObject): [Seen['turns'][number][0], SeenPart[]] {
  switch (item.type ?? 'message') {
    case 'function_call':
      return ['assistant', [{ call: String(item.name), input: JSON.parse(String(item.arguments)) }]];
    case 'custom_tool_call':
      return ['assistant', [{ call: String(item.name), input: item.input }]];
    case 'function_call_output':
    case 'custom_tool_call_output': {
      const parts = contentOf({ content: item.output });
      const text = parts.filter((part) => typeof part === 'string').join('');
      return ['tool', [{ result: text }, ...parts.filter((part) => typeof part !== 'string')]];
    }
    case 'reasoning': {
      const thought = listOf(item.summary)
        .map(({ text }) => String(text))
        .join('');
      return ['assistant', [{ thought, signature: String(item.encrypted_content ?? '') }]];
    }
    default:
      return [item.role as 'user' | 'assistant', contentOf(item)];
  }
}

function contentOf({ content }: JsonObject): SeenPart[] {
  if (typeof content === 'string') return [content];
  return listOf(content).map((part) => {
    if (part.type === 'input_image') {
      const data = dataUrl(part.image_url);
      return data === undefined ? { pictureUrl: String(part.image_url) } : { picture: data };
    }
    if (part.type === 'input_file') return { pdf: dataUrl(part.file_data) ?? '' };
    return String(part.text ?? part.refusal);
  });
}

function usageOf({ prompt, cached, written, completion, reasoning }: WireUsage): JsonObject {
  return {
    input_tokens: prompt,
    input_tokens_details: { cached_tokens: cached, cache_write_tokens: written },
    output_tokens: completion,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: prompt + completion,
  };
}

function itemsOf({ parts, finish }: Say): JsonObject[] {
  const status = finish === 'length' ? 'incomplete' : 'completed';
  return parts.flatMap((part, index): JsonObject[] => {
    if ('text' in part) {
      const content = [{ type: 'output_text', text: part.text, annotations: [], logprobs: [] }];
      return [{ id: `msg_${index}`, type: 'message', role: 'assistant', status, content }];
    }
    if ('thought' in part) {
      const summary = [{ type: 'summary_text', text: part.thought }];
      return [{ id: `rs_${index}`, type: 'reasoning', summary, encrypted_content: part.signature }];
    }
    return part.calls.map(({ id, name, input }, place) => ({
      id: `fc_${index}_${place}`,
      type: 'function_call',
      status: 'completed',
      call_id: id,
      name,
      arguments: JSON.stringify(input ?? {}),
    }));
  });
}

function responseOf(say: Say, model: string, output: JsonObject[]): JsonObject {
  const { finish, usage } = say;
  const reason = { length: 'max_output_tokens', refusal: 'content_filter' }[finish as string];
  return {
    id: 'resp_m1',
    object: 'response',
    created_at: 1_767_322_800,
    model,
    error: null,
    output,
    status: reason === undefined ? 'completed' : 'incomplete',
    incomplete_details: reason === undefined ? null : { reason },
    parallel_tool_calls: true,
    tool_choice: 'auto',
    tools: [],
    instructions: null,
    metadata: {},
    temperature: 1,
    top_p: 1,
    reasoning: { effort: null, summary: null },
    usage: usageOf(usage),
  };
}

function events(say: Say, model: string): WireEvent[] {
  const items = itemsOf(say);
  const begun = { ...responseOf(say, model, []), status: 'in_progress', incomplete_details: null, usage: null };
  const done: JsonObject = responseOf(say, model, items);
  const list: JsonObject[] = [
    { type: 'response.created', response: begun },
    { type: 'response.in_progress', response: begun },
    ...interleave(items.map(itemEvents)),
    { type: done.status === 'completed' ? 'response.completed' : 'response.incomplete', response: done },
  ];
  return list.map((event, place) => ({ name: String(event.type), data: { ...event, sequence_number: place } }));
}

interface ItemEvents {
  isCall: boolean;
  events: JsonObject[];
}

/** Calls made side by side come mixed with each other, everything else in order. */
function interleave(groups: ItemEvents[]): JsonObject[] {
  const calls = groups.filter(({ isCall }) => isCall).map(({ events }) => events);
  const maxLength = Math.max(0, ...calls.map(({ length }) => length));
  const turns = Array.from({ length: maxLength }, (_, turn) => turn);
  const mixed = turns.flatMap((turn) => calls.flatMap((own): JsonObject[] => own.slice(turn, turn + 1)));
  return [...groups.filter(({ isCall }) => !isCall).flatMap(({ events }) => events), ...mixed];
}

function itemEvents(item: JsonObject, place: number): ItemEvents {
  const at = { item_id: item.id, output_index: place };
  const added = (begun: JsonObject) => ({
    type: 'response.output_item.added',
    output_index: place,
    item: { ...item, ...begun },
  });
  const done: JsonObject = { type: 'response.output_item.done', output_index: place, item };
  if (item.type === 'function_call') {
    const text = String(item.arguments);
    const deltas = piecesOf(text).map((delta) => ({ type: 'response.function_call_arguments.delta', ...at, delta }));
    const end = { type: 'response.function_call_arguments.done', ...at, arguments: text, name: item.name };
    return { isCall: true, events: [added({ arguments: '', status: 'in_progress' }), ...deltas, end, done] };
  }
  if (item.type === 'reasoning') {
    const text = String(listOf(item.summary)[0]?.text);
    const here = { ...at, summary_index: 0 };
    const part = { type: 'summary_text', text };
    return {
      isCall: false,
      events: [
        added({ summary: [], encrypted_content: '' }),
        { type: 'response.reasoning_summary_part.added', ...here, part: { ...part, text: '' } },
        ...piecesOf(text).map((delta) => ({ type: 'response.reasoning_summary_text.delta', ...here, delta })),
        { type: 'response.reasoning_summary_text.done', ...here, text },
        { type: 'response.reasoning_summary_part.done', ...here, part },
        done,
      ],
    };
  }
  const part = recordOf(listOf(item.content)[0]);
  const here = { ...at, content_index: 0 };
  return {
    isCall: false,
    events: [
      added({ content: [], status: 'in_progress' }),
      { type: 'response.content_part.added', ...here, part: { ...part, text: '' } },
      ...piecesOf(String(part.text)).map((delta) => ({
        type: 'response.output_text.delta',
        ...here,
        delta,
        logprobs: [],
      })),
      { type: 'response.output_text.done', ...here, text: part.text, logprobs: [] },
      { type: 'response.content_part.done', ...here, part },
      done,
    ],
  };
}

export const responsesWire: Wire = {
  refuse,
  read,
  whole: (say, model) => responseOf(say, model, itemsOf(say)),
  events,
  error: openAiError,
  errorEvent: (message) => ({
    name: 'error',
    data: { type: 'error', sequence_number: 9, code: 'server_error', message, param: null },
  }),
};
