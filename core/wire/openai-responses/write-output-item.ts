import type { StreamContext } from '../../canonical/chat-codec.ts';
import type { ChatEvent, Citation } from '../../canonical/chat-event.ts';
import type { Opaque } from '../../canonical/chat-request.ts';
import { wrapOpaque } from '../../canonical/opaque-text.ts';
import { ArgumentPieces } from '../../canonical/tool-arguments.ts';
import { recordOf, textOf } from '../../lib/json-value.ts';
import type { OutputItem } from './write-response.ts';
import { innerName } from './write-response.ts';

export interface ItemWriter {
  /** Filled in as it grows; the same object is in the response's output. */
  item: OutputItem;
  begin(): string;
  delta(text: string): string;
  cite(citation: Citation): string;
  /** Of the text that was just said. */
  weigh?(logprobs: readonly unknown[]): string;
  close(opaque: Opaque | undefined): string;
}

interface ItemPlace {
  /** Position among the response's items. */
  index: number;
  /** What the client knows the item by already. */
  id?: string | undefined;
  context: StreamContext;
  emit(type: string, members: Record<string, unknown>): string;
}

type Open = Extract<ChatEvent, { type: 'open' }>;

/** Writes one item of the output; undefined for parts this protocol cannot show, and for further responses beside the first. */
export function createItemWriter(open: Open, place: ItemPlace): ItemWriter | undefined {
  if (open.choice > 0) return undefined;
  switch (open.kind) {
    case 'text':
    case 'refusal':
      return messageWriter(open.kind, place);
    case 'reasoning':
      return reasoningWriter(place);
    case 'toolCall':
      return open.custom ? customCallWriter(open, place) : callWriter(open, place);
    case 'media':
      if (open.mime.startsWith('image/')) return imageWriter(open.data, place);
      // Sound has no place here: what it says.
      return open.transcript ? spokenWriter(open.transcript, place) : undefined;
    case 'native':
      return open.origin === 'openai-responses' ? nativeWriter(open.raw, place) : undefined;
  }
}

function idOf(prefix: string, { context, index, id }: ItemPlace): string {
  return id ?? `${prefix}_${context.identity.id}_${index}`;
}

/** Frame of every item: `added` when it opens, `done` with its whole content when it closes. */
function frame(item: OutputItem, { index, emit }: ItemPlace) {
  const place = { output_index: index };
  return {
    added: () => emit('response.output_item.added', { ...place, item }),
    done: () => {
      if ('status' in item) item.status = 'completed';
      return emit('response.output_item.done', { ...place, item });
    },
    place: { item_id: item.id, ...place },
  };
}

function messageWriter(kind: 'text' | 'refusal', slot: ItemPlace): ItemWriter {
  const { emit } = slot;
  const content: Record<string, unknown>[] = [];
  const item = { id: idOf('msg', slot), type: 'message', status: 'in_progress', role: 'assistant', content };
  const { added, done, place } = frame(item, slot);
  const at = { ...place, content_index: 0 };
  const annotations: unknown[] = [];
  /** Those that name no place are for the whole text: known at its end. */
  const placeless: Citation[] = [];
  const logprobs: unknown[] = [];
  let text = '';
  const part = () =>
    kind === 'text' ? { type: 'output_text', text, annotations, logprobs } : { type: 'refusal', refusal: text };
  const name = kind === 'text' ? 'response.output_text' : 'response.refusal';
  function annotate(citation: Citation): string {
    const annotation = urlCitation(citation);
    annotations.push(annotation);
    return emit('response.output_text.annotation.added', {
      ...at,
      annotation_index: annotations.length - 1,
      annotation,
    });
  }
  return {
    item,
    begin: () => added() + emit('response.content_part.added', { ...at, part: part() }),
    delta(more) {
      text += more;
      return emit(`${name}.delta`, { ...at, delta: more, ...(kind === 'text' && { logprobs: [] }) });
    },
    weigh(entries) {
      if (kind !== 'text') return '';
      logprobs.push(...entries);
      return emit(`${name}.delta`, { ...at, delta: '', logprobs: entries });
    },
    cite(citation) {
      // A passage of a document that the client sent has no address, and no place here.
      if (kind !== 'text' || citation.url === undefined) return '';
      if (citation.end !== undefined) return annotate(citation);
      placeless.push(citation);
      return '';
    },
    close() {
      const cited = placeless.map((citation) => annotate({ ...citation, end: text.length })).join('');
      content.push(part());
      return (
        cited +
        emit(`${name}.done`, {
          ...at,
          [kind === 'text' ? 'text' : 'refusal']: text,
          ...(kind === 'text' && { logprobs }),
        }) +
        emit('response.content_part.done', { ...at, part: part() }) +
        done()
      );
    },
  };
}

function spokenWriter(transcript: string, slot: ItemPlace): ItemWriter {
  const writer = messageWriter('text', slot);
  return { ...writer, begin: () => writer.begin() + writer.delta(transcript) };
}

function urlCitation({ url, title = '', start = 0, end }: Citation): Record<string, unknown> {
  return { type: 'url_citation', url, title, start_index: start, end_index: end };
}

function reasoningWriter(slot: ItemPlace): ItemWriter {
  const { emit } = slot;
  const summary: Record<string, unknown>[] = [];
  const item: OutputItem = { id: idOf('rs', slot), type: 'reasoning', summary };
  const { added, done, place } = frame(item, slot);
  const at = { ...place, summary_index: 0 };
  let text = '';
  const part = () => ({ type: 'summary_text', text });
  return {
    item,
    begin: added,
    delta(more) {
      const begins = text === '' ? emit('response.reasoning_summary_part.added', { ...at, part: part() }) : '';
      text += more;
      return begins + emit('response.reasoning_summary_text.delta', { ...at, delta: more });
    },
    cite: () => '',
    close(opaque) {
      if (opaque) item.encrypted_content = wrapOpaque(opaque, 'openai-responses');
      // Reasoning that shows nothing but its signature has no summary.
      if (text === '') return done();
      summary.push(part());
      return (
        emit('response.reasoning_summary_text.done', { ...at, text }) +
        emit('response.reasoning_summary_part.done', { ...at, part: part() }) +
        done()
      );
    },
  };
}

type CallOpen = Extract<Open, { kind: 'toolCall' }>;

function callWriter({ id, name }: CallOpen, slot: ItemPlace): ItemWriter {
  const { emit, context } = slot;
  const tool = context.request.tools.find((one) => one.kind === 'function' && one.name === name);
  const namespace = tool?.kind === 'function' ? tool.namespace : undefined;
  const own = innerName(name, namespace);
  const item = {
    id: idOf('fc', slot),
    type: 'function_call',
    status: 'in_progress',
    call_id: id,
    name: own,
    ...(namespace !== undefined && { namespace }),
    arguments: '',
  };
  const { added, done, place } = frame(item, slot);
  const pieces = new ArgumentPieces();
  function say(more: string): string {
    item.arguments += more;
    return more === '' ? '' : emit('response.function_call_arguments.delta', { ...place, delta: more });
  }
  return {
    item,
    begin: added,
    delta: (text) => say(pieces.add(text)),
    cite: () => '',
    close() {
      const rest = say(pieces.end());
      // A tool without arguments is called with an empty object.
      if (item.arguments === '') item.arguments = '{}';
      const whole = emit('response.function_call_arguments.done', { ...place, name: own, arguments: item.arguments });
      return rest + whole + done();
    },
  };
}

function customCallWriter({ id, name }: CallOpen, slot: ItemPlace): ItemWriter {
  const { emit } = slot;
  const item = { id: idOf('ctc', slot), type: 'custom_tool_call', status: 'in_progress', call_id: id, name, input: '' };
  const { added, done, place } = frame(item, slot);
  return {
    item,
    begin: added,
    delta(more) {
      item.input += more;
      return emit('response.custom_tool_call_input.delta', { ...place, delta: more });
    },
    cite: () => '',
    close: () => emit('response.custom_tool_call_input.done', { ...place, input: item.input }) + done(),
  };
}

function imageWriter(data: string, slot: ItemPlace): ItemWriter {
  const item = { id: idOf('ig', slot), type: 'image_generation_call', status: 'in_progress', result: data };
  const { added, done } = frame(item, slot);
  return { item, begin: added, delta: () => '', cite: () => '', close: () => done() };
}

/** An item of this protocol's own, as its upstream wrote it. */
function nativeWriter(raw: unknown, slot: ItemPlace): ItemWriter {
  const given = recordOf(raw);
  const item = { ...given, id: textOf(given.id) || idOf('item', slot), type: textOf(given.type) };
  const { added, done } = frame(item, slot);
  return { item, begin: added, delta: () => '', cite: () => '', close: () => done() };
}
