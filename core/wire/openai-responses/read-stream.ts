import { madeCallId } from '../../canonical/call-id.ts';
import type { ChatStreamReader, ReadContext } from '../../canonical/chat-codec.ts';
import type { ChatEvent, FinishReason } from '../../canonical/chat-event.ts';
import type { Opaque } from '../../canonical/chat-request.ts';
import { readLogprobs } from '../../canonical/logprob.ts';
import { UpstreamError } from '../../errors/upstream-error.ts';
import { isJsonObject, type JsonObject, recordOf, recordsOf, textOf } from '../../lib/json-value.ts';
import { coded } from '../../text/coded.ts';
import { urlCitationOf } from './citation.ts';
import { ItemKeys } from './item-keys.ts';
import { ResponseUsage } from './usage.ts';

/** One part of the neutral response and how much of it has been told. */
interface OpenPart {
  part: number;
  kind: 'text' | 'refusal' | 'reasoning' | 'toolCall';
  sent: number;
  /** Summaries of one reasoning item are paragraphs. */
  section: string;
  hasLogprobs: boolean;
  /** Notes on the text that have been told. */
  notes: number;
}

/**
 * Reads the event stream of the Responses API (conversion matrix, 6.4). Parts are found by item and content index;
 * `output_item.done` is the truth for whatever the deltas left out.
 */
export function createResponsesReader({ identity, toolNames }: ReadContext): ChatStreamReader {
  const open = new Map<string, OpenPart>();
  const seen = new Set<string>();
  const keys = new ItemKeys();
  const usage = new ResponseUsage();
  let parts = 0;
  let started = false;
  let ended = false;
  let calledTool = false;

  function start(response: JsonObject): ChatEvent[] {
    if (started) return [];
    started = true;
    const { id, model, created_at } = response;
    return [
      {
        type: 'start',
        id: typeof id === 'string' ? id : identity.id,
        model: typeof model === 'string' ? model : identity.model,
        created: typeof created_at === 'number' ? Math.trunc(created_at) : identity.created,
      },
    ];
  }

  /** The part's number, opening it when it is new. */
  function enter(key: string, kind: OpenPart['kind'], item: JsonObject = {}): { entry: OpenPart; events: ChatEvent[] } {
    const known = open.get(key);
    if (known) return { entry: known, events: [] };
    const entry: OpenPart = { part: parts++, kind, sent: 0, section: '', hasLogprobs: false, notes: 0 };
    open.set(key, entry);
    seen.add(key);
    return { entry, events: [...start({}), opening(entry, item)] };
  }

  function opening({ part, kind }: OpenPart, item: JsonObject): ChatEvent {
    if (kind !== 'toolCall') return { type: 'open', part, choice: 0, kind };
    calledTool = true;
    const name = textOf(item.namespace) === '' ? textOf(item.name) : `${textOf(item.namespace)}__${textOf(item.name)}`;
    const custom = item.type === 'custom_tool_call' ? { custom: true } : {};
    const id = textOf(item.call_id) || textOf(item.id) || madeCallId(identity.id, part);
    return { type: 'open', part, choice: 0, kind, id, name: toolNames?.get(name) ?? name, ...custom };
  }

  function say(key: string, kind: OpenPart['kind'], text: string, section = ''): ChatEvent[] {
    if (text === '') return [];
    const { entry, events } = enter(key, kind);
    const gap = entry.sent > 0 && section !== entry.section ? '\n\n' : '';
    entry.section = section;
    entry.sent += text.length;
    return [...events, { type: 'delta', part: entry.part, text: gap + text }];
  }

  function likelihoods(key: string, list: unknown): ChatEvent[] {
    const logprobs = readLogprobs(list);
    const entry = open.get(key);
    if (logprobs.length === 0 || entry?.kind !== 'text') return [];
    entry.hasLogprobs = true;
    return [{ type: 'logprobs', part: entry.part, logprobs }];
  }

  function close(key: string, opaque?: Opaque): ChatEvent[] {
    const entry = open.get(key);
    if (!entry) return [];
    open.delete(key);
    return [{ type: 'close', part: entry.part, ...(opaque && { opaque }) }];
  }

  /** What `done` tells that no delta has told. */
  function complete(item: JsonObject, id: string): ChatEvent[] {
    usage.note(item, id);
    if (seen.has(`${id}!`)) return [];
    seen.add(`${id}!`);
    switch (item.type) {
      case 'message':
        return recordsOf(item.content).flatMap((piece, index) => completeText(piece, `${id}/${index}`));
      case 'reasoning':
        return completeReasoning(item, id);
      case 'function_call':
      case 'custom_tool_call': {
        const { entry, events } = enter(id, 'toolCall', item);
        const text = textOf(item.type === 'function_call' ? item.arguments : item.input);
        return [...events, ...remainder(entry, text), ...close(id)];
      }
      case 'image_generation_call':
        return completeImage(item);
      default:
        return completeNative(item);
    }
  }

  function completeText(piece: JsonObject, key: string): ChatEvent[] {
    const kind = piece.type === 'refusal' ? 'refusal' : 'text';
    const text = textOf(kind === 'refusal' ? piece.refusal : piece.text);
    if (text === '' && !open.has(key)) return [];
    // A part that was closed by its own event has told everything.
    if (seen.has(key) && !open.has(key)) return [];
    const { entry, events } = enter(key, kind);
    const told = entry.hasLogprobs ? [] : likelihoods(key, piece.logprobs);
    const untold = Array.isArray(piece.annotations) ? piece.annotations.slice(entry.notes) : [];
    const notes = untold.flatMap((annotation) => cite(key, annotation));
    return [...events, ...remainder(entry, text), ...told, ...notes, ...close(key)];
  }

  function completeReasoning(item: JsonObject, id: string): ChatEvent[] {
    const encrypted = textOf(item.encrypted_content);
    const full = recordsOf(item.content).map((piece) => textOf(piece.text));
    const summary = recordsOf(item.summary).map((piece) => textOf(piece.text));
    const text = (full.length > 0 ? full : summary).join('\n\n');
    if (text === '' && encrypted === '' && !open.has(id)) return [];
    const { entry, events } = enter(id, 'reasoning');
    const told = entry.sent > 0 ? [] : remainder(entry, text);
    const itemId = textOf(item.id);
    const opaque: Opaque | undefined =
      encrypted === ''
        ? undefined
        : { origin: 'openai-responses', kind: 'encrypted', value: encrypted, ...(itemId && { id: itemId }) };
    return [...events, ...told, ...close(id, opaque)];
  }

  function remainder(entry: OpenPart, whole: string): ChatEvent[] {
    const text = whole.slice(entry.sent);
    entry.sent = whole.length;
    return text === '' ? [] : [{ type: 'delta', part: entry.part, text }];
  }

  function completeImage(item: JsonObject): ChatEvent[] {
    const data = textOf(item.result);
    if (data === '') return [];
    const part = parts++;
    const mime = `image/${textOf(item.output_format) || 'png'}`;
    return [...start({}), { type: 'open', part, choice: 0, kind: 'media', mime, data }, { type: 'close', part }];
  }

  function completeNative(raw: JsonObject): ChatEvent[] {
    const part = parts++;
    return [
      ...start({}),
      { type: 'open', part, choice: 0, kind: 'native', origin: 'openai-responses', raw },
      { type: 'close', part },
    ];
  }

  function finish(response: JsonObject): ChatEvent[] {
    const { output, status } = response;
    // Items of a response that came without events of their own.
    const late = recordsOf(output).flatMap((item, index) => complete(item, keys.ofRepeated(item, index)));
    const closing = [...open.keys()].flatMap((key) => close(key));
    const counted = usage.read(response);
    ended = true;
    return [
      ...start(response),
      ...late,
      ...closing,
      ...(counted ? [{ type: 'usage', usage: counted } as const] : []),
      { type: 'finish', choice: 0, reason: reasonOf(response, textOf(status), calledTool) },
      { type: 'end' },
    ];
  }

  function fail(status: number, body: unknown): ChatEvent[] {
    ended = true;
    return [{ type: 'error', status, body }];
  }

  function broken(words: 'upstream.cutOff' | 'upstream.restarted'): ChatEvent[] {
    return fail(502, new UpstreamError({ status: 502, code: 'upstream_broken', coded: coded(words), kind: 'retry' }));
  }

  function read(event: JsonObject, type: string): ChatEvent[] {
    const item = isJsonObject(event.item) ? event.item : {};
    const id = isJsonObject(event.response) ? '' : keys.ofEvent(event, type);
    switch (type) {
      case 'response.created':
        return parts > 0 ? broken('upstream.restarted') : start(recordOf(event.response));
      case 'response.output_item.added':
        return isCall(item) ? enter(id, 'toolCall', item).events : [];
      case 'response.output_text.delta':
        return [
          ...say(`${id}/${event.content_index ?? 0}`, 'text', textOf(event.delta)),
          ...likelihoods(`${id}/${event.content_index ?? 0}`, event.logprobs),
        ];
      case 'response.refusal.delta':
        return say(`${id}/${event.content_index ?? 0}`, 'refusal', textOf(event.delta));
      case 'response.reasoning_summary_text.delta':
        return say(id, 'reasoning', textOf(event.delta), `s${event.summary_index ?? 0}`);
      case 'response.reasoning_text.delta':
        return say(id, 'reasoning', textOf(event.delta), `c${event.content_index ?? 0}`);
      case 'response.function_call_arguments.delta':
      case 'response.custom_tool_call_input.delta':
        return say(id, 'toolCall', textOf(event.delta));
      case 'response.output_text.annotation.added':
        return cite(`${id}/${event.content_index ?? 0}`, event.annotation);
      case 'response.output_item.done':
        return complete(item, id);
      case 'response.completed':
      case 'response.incomplete':
        return finish(recordOf(event.response));
      case 'response.failed':
      case 'response.cancelled':
        return fail(502, { error: recordOf(recordOf(event.response).error) });
      case 'error':
        return fail(502, { error: isJsonObject(event.error) ? event.error : event });
      default:
        return [];
    }
  }

  function cite(key: string, annotation: unknown): ChatEvent[] {
    const entry = open.get(key);
    const citation = urlCitationOf(annotation);
    if (entry) entry.notes += 1;
    return entry && citation ? [{ type: 'citation', part: entry.part, citation }] : [];
  }

  return {
    // `done` repeats what the deltas have told, and only what they left out is told again.
    needsEveryText: true,
    event(data, name) {
      if (ended || !isJsonObject(data)) return [];
      return read(data, textOf(data.type) || (name ?? ''));
    },
    // Its end is an event of its own: without it the response broke off.
    end: () => (ended ? [] : broken('upstream.cutOff')),
  };
}

function reasonOf(response: JsonObject, status: string, calledTool: boolean): FinishReason {
  const reason = recordOf(response.incomplete_details).reason;
  if (status === 'incomplete' || reason !== undefined) return reason === 'content_filter' ? 'filter' : 'length';
  return calledTool ? 'tool' : 'stop';
}

function isCall({ type }: JsonObject): boolean {
  return type === 'function_call' || type === 'custom_tool_call';
}
