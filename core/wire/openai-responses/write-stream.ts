import type { ChatStreamWriter, StreamContext } from '../../canonical/chat-codec.ts';
import type { ChatEvent, FinishReason } from '../../canonical/chat-event.ts';
import type { Usage } from '../../canonical/usage.ts';
import { coded } from '../../text/coded.ts';
import { wordsIn } from '../../text/text.ts';
import { writeServiceTier } from '../openai-chat/usage.ts';
import { PassedStream } from './passed-stream.ts';
import { createItemWriter, type ItemWriter } from './write-output-item.ts';
import { type OutputItem, type ResponseObject, responseObject, writeResponsesUsage } from './write-response.ts';

/** What a stream ends with, besides `completed`. */
const incompleteReasons: Partial<Record<FinishReason, string>> = {
  length: 'max_output_tokens',
  filter: 'content_filter',
};

/** What a part of each kind is an item of. */
const itemTypes: Partial<Record<Extract<ChatEvent, { type: 'open' }>['kind'], string>> = {
  text: 'message',
  refusal: 'message',
  reasoning: 'reasoning',
};

export interface ResponsesWriter extends ChatStreamWriter {
  /** The response as it stands, once `end` or an error event was written. */
  readonly response: ResponseObject;
}

/**
 * The event stream of the Responses API, complete in its lifecycle: clients build their state from `output_item.added`, the ids in
 * the deltas and the repeated output of the last event, and fail when one is missing.
 */
export function createResponsesWriter(context: StreamContext): ResponsesWriter {
  let sequence = 0;
  let response = responseObject(context, 'in_progress');
  let reason: FinishReason = 'stop';
  const output: OutputItem[] = [];
  const open = new Map<number, ItemWriter>();
  let passed: PassedStream | undefined;
  /** Items of a stream that passed as it was, which the writer was not told to fill. */
  let waiting: [number, OutputItem][] = [];
  let isUnclear = false;

  function emit(type: string, members: Record<string, unknown>): string {
    if (passed?.isTold(type, members)) return '';
    return `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: sequence++, ...members })}\n\n`;
  }

  function begin(event: Extract<ChatEvent, { type: 'open' }>): string {
    const carrier = carrySignature(event);
    const { closing, ...place } = placeFor(event);
    const item = createItemWriter(event, { ...place, context, emit });
    if (!item) return closing;
    open.set(event.part, item);
    // Its place is taken now: items may be open side by side, and the last event repeats them in order.
    output[place.index] = item.item;
    return carrier + closing + item.begin();
  }

  /** Where an item stands; in a stream that passed as it was, where its upstream put it. */
  function placeFor({ kind }: Extract<ChatEvent, { type: 'open' }>): { index: number; id?: string; closing: string } {
    if (!passed) return { index: output.length, closing: '' };
    if (!passed.isOver) {
      const index = passed.place ?? output.length;
      // Several texts of one item would be several items of this writer's.
      if (output[index]) isUnclear = true;
      const id = passed.idAt(index);
      return { index, ...(id && { id }), closing: '' };
    }
    let closing = '';
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [index, item] = next;
      if (item.type === itemTypes[kind]) return { index, id: item.id, closing };
      closing += closeBegun(next);
    }
    return { index: output.length, closing };
  }

  /** An item that the first upstream began, and to which the second has nothing to say. */
  function closeBegun([index, item]: [number, OutputItem]): string {
    output[index] = item;
    return emit('response.output_item.done', { output_index: index, item });
  }

  function takeOver(): boolean {
    if (!passed || isUnclear || passed.hasOddText) return false;
    const { response: announced, sequence: next, end } = passed;
    waiting = passed.begun((place) => output[place] !== undefined);
    for (const [place, item] of passed.whole()) output[place] = item;
    output.length = Math.max(output.length, end);
    sequence = next;
    // What ends here was not kept where it began.
    response = { ...response, ...announced, store: false };
    passed.isOver = true;
    return true;
  }

  /** A call has no place for another vendor's signature: it travels in a reasoning item of its own before the call. */
  function carrySignature(event: Extract<ChatEvent, { type: 'open' }>): string {
    const { choice, part, kind } = event;
    if (kind !== 'toolCall' || !event.opaque || event.opaque.origin === 'openai-responses') return '';
    const place = { index: output.length, context, emit };
    const item = createItemWriter({ type: 'open', kind: 'reasoning', choice, part }, place);
    if (!item) return '';
    output.push(item.item);
    return item.begin() + item.close(event.opaque);
  }

  function close(event: Extract<ChatEvent, { type: 'close' }>): string {
    const item = open.get(event.part);
    open.delete(event.part);
    return item?.close(event.opaque) ?? '';
  }

  function finish({ choice, reason: given, detail }: Extract<ChatEvent, { type: 'finish' }>): string {
    // Of several responses the first one is this protocol's only one.
    if (choice > 0) return '';
    reason = given;
    if (given !== 'filter' || detail === undefined) return '';
    const place = { index: output.length, context, emit };
    const item = createItemWriter({ type: 'open', kind: 'refusal', choice, part: -1 }, place);
    if (!item) return '';
    output.push(item.item);
    return item.begin() + item.delta(detail) + item.close(undefined);
  }

  function start(event: Extract<ChatEvent, { type: 'start' }>): string {
    response = { ...response, created_at: event.created || response.created_at };
    return emit('response.created', { response }) + emit('response.in_progress', { response });
  }

  function fail(event: Extract<ChatEvent, { type: 'error' }>): string {
    if (passed && !passed.isOver) failPassed(passed);
    response = { ...response, status: 'failed', output, error: errorOf(event) };
    return emit('response.failed', { response });
  }

  /** What fails is the response that its upstream announced: SDKs refuse another id. */
  function failPassed({ response: announced, sequence: next }: PassedStream): void {
    response = { ...response, ...announced };
    sequence = next;
  }

  return {
    get response() {
      return response;
    },
    event(event) {
      switch (event.type) {
        case 'start':
          return start(event);
        case 'open':
          return begin(event);
        case 'delta':
          return open.get(event.part)?.delta(event.text) ?? '';
        case 'citation':
          return open.get(event.part)?.cite(event.citation) ?? '';
        case 'logprobs':
          return open.get(event.part)?.weigh?.(event.logprobs) ?? '';
        case 'close':
          return close(event);
        case 'finish':
          return finish(event);
        case 'error':
          return fail(event);
        case 'ping':
          return ': ping\n\n';
        default:
          return '';
      }
    },
    end(usage: Usage) {
      // `response.failed` was the last event.
      if (response.status === 'failed') return '';
      const closing = waiting.splice(0).map(closeBegun).join('');
      const detail = incompleteReasons[reason];
      const status = detail === undefined ? 'completed' : 'incomplete';
      response = {
        ...response,
        status,
        output,
        usage: writeResponsesUsage(usage),
        ...writeServiceTier(usage),
        incomplete_details: detail === undefined ? null : { reason: detail },
      };
      return closing + emit(`response.${status}`, { response });
    },
    passed(event) {
      passed ??= new PassedStream();
      passed.note(event);
    },
    takeOver,
  };
}

function errorOf({ status, body }: Extract<ChatEvent, { type: 'error' }>): { code: string; message: string } {
  const { error } = (body ?? {}) as { error?: { code?: unknown; message?: unknown } };
  const fallback = status === 429 ? 'rate_limit_exceeded' : 'server_error';
  return {
    code: typeof error?.code === 'string' ? error.code : fallback,
    message: typeof error?.message === 'string' ? error.message : wordsIn('en', coded('upstream.failed')),
  };
}
