import type {
  ChatRequest,
  MediaSource,
  Message,
  Part,
  ToolCallPart,
  ToolResultPart,
} from '../../canonical/chat-request.ts';
import type { Losses } from '../../canonical/loss.ts';
import { AppError } from '../../errors/app-error.ts';
import { writeDataUrl } from '../../lib/data-url.ts';

type Item = Record<string, unknown>;

/** The messages of a call as the items of a Responses call. */
export function writeItems({ messages, origin }: ChatRequest, losses: Losses): Item[] {
  const calls = messages.flatMap(({ parts }) => parts).filter((part) => part.kind === 'toolCall');
  const custom = new Set(calls.filter((call) => call.custom).map(({ id }) => id));
  const resultItems = (parts: Part[], field: string) =>
    parts
      .filter((part) => part.kind === 'toolResult')
      .map((part) => ({
        type: custom.has(part.callId) ? 'custom_tool_call_output' : 'function_call_output',
        ...writeResult(part, field, losses),
      }));
  return messages.flatMap((message, index) => {
    const field = `messages.${index}`;
    if (message.role === 'assistant') return assistantItems(message, field, losses);
    if (message.role === 'tool') return resultItems(message.parts, field);
    const others = message.parts.filter((part) => part.kind !== 'toolResult');
    const role = message.role === 'system' ? 'developer' : 'user';
    const content = others.flatMap((part) => inputPart(part, field, origin, losses));
    return [...resultItems(message.parts, field), ...(content.length > 0 ? [{ role, content }] : [])];
  });
}

function assistantItems({ parts, phase }: Message, field: string, losses: Losses): Item[] {
  const items: Item[] = [];
  for (const part of parts) {
    const last = items.at(-1);
    const piece = outputPart(part);
    if (piece && last?.type === 'message') (last.content as Item[]).push(piece);
    else if (piece) items.push({ type: 'message', role: 'assistant', content: [piece], ...(phase && { phase }) });
    else items.push(...stateItems(part, field, losses));
  }
  return items;
}

function outputPart(part: Part): Item | undefined {
  if (part.kind === 'refusal') return { type: 'refusal', refusal: part.text };
  // An empty text says nothing, and some upstreams refuse it.
  return part.kind === 'text' && part.text !== ''
    ? { type: 'output_text', text: part.text, annotations: [] }
    : undefined;
}

function stateItems(part: Part, field: string, losses: Losses): Item[] {
  if (part.kind === 'toolCall') return [callItem(part)];
  if (part.kind === 'reasoning') {
    const { opaque, text } = part;
    // Only its own encrypted content brings reasoning back; plain text of it is refused.
    if (opaque?.origin !== 'openai-responses' || opaque.kind !== 'encrypted') {
      losses.drop(`${field}.reasoning`);
      return [];
    }
    const summary = text === '' ? [] : [{ type: 'summary_text', text }];
    const id = opaque.id === undefined ? {} : { id: opaque.id };
    return [{ type: 'reasoning', ...id, summary, encrypted_content: opaque.value }];
  }
  if (part.kind === 'native' && part.origin === 'openai-responses') return [part.raw as Item];
  if (part.kind !== 'text') losses.drop(`${field}.${part.kind}`);
  return [];
}

function callItem({ id, name, arguments: text, custom }: ToolCallPart): Item {
  if (custom) return { type: 'custom_tool_call', call_id: id, name, input: text };
  return { type: 'function_call', call_id: id, name, arguments: text.trim() === '' ? '{}' : text };
}

function writeResult({ callId, parts, isError }: ToolResultPart, field: string, losses: Losses): Item {
  if (isError) losses.emulate(`${field}.is_error`);
  const mark = isError ? '[error] ' : '';
  const isText = parts.every(({ kind }) => kind === 'text');
  const output = isText
    ? mark + parts.map((part) => (part.kind === 'text' ? part.text : '')).join('')
    : parts.flatMap((part) => inputPart(part, field, 'openai-responses', losses));
  return { call_id: callId, output };
}

function inputPart(part: Part, field: string, origin: ChatRequest['origin'], losses: Losses): Item[] {
  if ('cache' in part && part.cache) losses.drop(`${field}.cache_control`);
  switch (part.kind) {
    case 'text':
      return [{ type: 'input_text', text: part.text }];
    case 'image':
      return [{ type: 'input_image', ...imageOf(part.source, origin), ...(part.detail && { detail: part.detail }) }];
    case 'document':
      return [{ type: 'input_file', ...fileOf(part.source, origin), ...(part.name && { filename: part.name }) }];
    case 'audio':
      throw impossible(`${field}.input_audio`);
    case 'native':
      losses.drop(`${field}.content`);
      return [];
    default:
      losses.drop(`${field}.${part.kind}`);
      return [];
  }
}

function imageOf(source: MediaSource, origin: ChatRequest['origin']): Item {
  if (source.type === 'data') return { image_url: writeDataUrl(source) };
  return source.type === 'url' ? { image_url: source.url } : { file_id: ownFile(source.id, origin) };
}

function fileOf(source: MediaSource, origin: ChatRequest['origin']): Item {
  if (source.type === 'data') return { file_data: writeDataUrl(source), filename: 'document.pdf' };
  return source.type === 'url' ? { file_url: source.url } : { file_id: ownFile(source.id, origin) };
}

/** A file lies with the vendor it was uploaded to. */
function ownFile(id: string, origin: ChatRequest['origin']): string {
  if (origin === 'openai-chat' || origin === 'openai-responses') return id;
  throw impossible('file_id');
}

function impossible(what: string): AppError {
  return new AppError('convert.notPossible', { what, upstream: 'OpenAI Responses' }, { param: what });
}
