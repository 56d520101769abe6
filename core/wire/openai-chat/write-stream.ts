import type { ChatStreamWriter, StreamContext } from '../../canonical/chat-codec.ts';
import type { ChatEvent, Citation } from '../../canonical/chat-event.ts';
import { ArgumentPieces } from '../../canonical/tool-arguments.ts';
import type { JsonObject } from '../../lib/json-value.ts';
import { writeOpaqueDetail, writeTextDetail } from './reasoning-detail.ts';
import { usageChunk } from './usage-chunk.ts';
import { responseId, writeAnnotation, writeCall, writeMedia, writeReason } from './write-delta.ts';

interface OpenPart {
  choice: number;
  kind: Extract<ChatEvent, { type: 'open' }>['kind'];
  /** Of its kind: calls count apart from reasoning. */
  index: number;
  isCustom: boolean;
  arguments: ArgumentPieces;
  /** Where the part begins in the content, and how far it has got. */
  from: number;
  to: number;
}

interface ChoiceState {
  hasRole: boolean;
  calls: number;
  reasonings: number;
  media: number;
  /** Characters of content so far, for citations that name no place. */
  length: number;
  /** Told at the end, all at once, as OpenAI does: some vendors cite before they say what they cite for. */
  citations: { citation: Citation; part: OpenPart }[];
}

/** chat.completion.chunk events, one for each neutral event that says something. */
export function createChatStreamWriter({ identity, wantsUsage }: StreamContext): ChatStreamWriter {
  const shared = { ...identity, id: responseId(identity.id) };
  const parts = new Map<number, OpenPart>();
  const choices = new Map<number, ChoiceState>();

  function chunk(choice: number, delta: JsonObject, more: JsonObject = {}): string {
    const state = stateOf(choice);
    const role = state.hasRole ? {} : { role: 'assistant' };
    state.hasRole = true;
    const written = { index: choice, delta: { ...role, ...delta }, logprobs: null, finish_reason: null, ...more };
    return line({
      id: shared.id,
      object: 'chat.completion.chunk',
      created: shared.created,
      model: shared.model,
      choices: [written],
      // OpenAI says so in every chunk before the one that has it.
      ...(wantsUsage && { usage: null }),
    });
  }

  function stateOf(choice: number): ChoiceState {
    const known = choices.get(choice);
    if (known) return known;
    const state: ChoiceState = { hasRole: false, calls: 0, reasonings: 0, media: 0, length: 0, citations: [] };
    choices.set(choice, state);
    return state;
  }

  function open(event: Extract<ChatEvent, { type: 'open' }>): string {
    const { choice, kind } = event;
    const state = stateOf(choice);
    const isCustom = kind === 'toolCall' && event.custom === true;
    const pieces = new ArgumentPieces();
    const part = { choice, kind, index: 0, isCustom, arguments: pieces, from: state.length, to: state.length };
    parts.set(event.part, part);
    switch (event.kind) {
      case 'toolCall':
        part.index = state.calls++;
        return chunk(choice, { tool_calls: [{ index: part.index, ...writeCall(event, '') }] });
      case 'reasoning':
        part.index = state.reasonings++;
        return '';
      case 'media':
        return chunk(choice, writeMedia(event, { ...shared, index: state.media++ }));
      default:
        return '';
    }
  }

  function delta(part: OpenPart, text: string): string {
    const { choice, kind, index } = part;
    switch (kind) {
      case 'text':
        part.to += text.length;
        stateOf(choice).length += text.length;
        return chunk(choice, { content: text });
      case 'refusal':
        return chunk(choice, { refusal: text });
      case 'reasoning':
        return chunk(choice, { reasoning_content: text, reasoning_details: [writeTextDetail(text, index)] });
      case 'toolCall':
        if (part.isCustom) return chunk(choice, { tool_calls: [{ index, custom: { input: text } }] });
        return sayArguments(part, part.arguments.add(text));
      default:
        return '';
    }
  }

  function sayArguments({ choice, index }: OpenPart, text: string): string {
    return text === '' ? '' : chunk(choice, { tool_calls: [{ index, function: { arguments: text } }] });
  }

  /** Clients parse the arguments, and nothing is not JSON. */
  function endArguments(part: OpenPart): string {
    const rest = part.arguments.end();
    return sayArguments(part, part.arguments.hasBegun ? rest : '{}');
  }

  function onPart(event: Extract<ChatEvent, { type: 'delta' | 'citation' | 'logprobs' | 'close' }>): string {
    const part = parts.get(event.part);
    if (!part) return '';
    if (event.type === 'delta') return delta(part, event.text);
    if (event.type === 'logprobs') {
      const entries = {
        content: null,
        refusal: null,
        [part.kind === 'refusal' ? 'refusal' : 'content']: event.logprobs,
      };
      return chunk(part.choice, {}, { logprobs: entries });
    }
    if (event.type === 'citation') {
      stateOf(part.choice).citations.push({ citation: event.citation, part });
      return '';
    }
    parts.delete(event.part);
    if (part.kind === 'toolCall') return part.isCustom ? '' : endArguments(part);
    if (!event.opaque) return '';
    const index = part.kind === 'reasoning' ? part.index : stateOf(part.choice).reasonings++;
    return chunk(part.choice, { reasoning_details: [writeOpaqueDetail(event.opaque, index)] });
  }

  function cite(choice: number): string {
    const annotations = stateOf(choice)
      .citations.splice(0)
      .map(({ citation, part }) => writeAnnotation(citation, part.from, part.to))
      .filter((annotation) => annotation !== undefined);
    return annotations.length > 0 ? chunk(choice, { annotations }) : '';
  }

  return {
    event(event) {
      switch (event.type) {
        case 'start':
          if (event.id !== '') shared.id = responseId(event.id);
          if (event.created > 0) shared.created = event.created;
          return chunk(0, { content: '' });
        case 'open':
          return open(event);
        case 'delta':
        case 'citation':
        case 'logprobs':
        case 'close':
          return onPart(event);
        case 'finish': {
          const refusal = event.reason === 'filter' && event.detail !== undefined ? { refusal: event.detail } : {};
          return cite(event.choice) + chunk(event.choice, refusal, writeReason(event.reason));
        }
        case 'ping':
          return ': ping\n\n';
        default:
          return '';
      }
    },
    end: (usage) => `${wantsUsage ? line(usageChunk(shared, usage)) : ''}data: [DONE]\n\n`,
  };
}

function line(chunk: JsonObject): string {
  return `data: ${JSON.stringify(chunk)}\n\n`;
}
