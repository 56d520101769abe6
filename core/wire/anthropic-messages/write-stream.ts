import type { ChatStreamWriter, StreamContext } from '../../canonical/chat-codec.ts';
import type { ChatEvent } from '../../canonical/chat-event.ts';
import type { Opaque } from '../../canonical/chat-request.ts';
import { ArgumentPieces, customToolArguments } from '../../canonical/tool-arguments.ts';
import type { JsonObject } from '../../lib/json-value.ts';
import { BlockSequence } from './block-sequence.ts';
import {
  carriesSignature,
  type Finish,
  messageId,
  writeCitation,
  writeMediaText,
  writeNativeBlock,
  writeStop,
} from './write-part.ts';
import { writeAnthropicUsage } from './write-usage.ts';

type OpenEvent = Extract<ChatEvent, { type: 'open' }>;

interface OpenPart {
  kind: OpenEvent['kind'];
  /** Free text of a custom tool, which is one argument here and can only be written when it is whole. */
  free: string | undefined;
  arguments: ArgumentPieces;
}

/** The events of a Messages stream. Blocks come strictly one after the other, whatever the neutral parts do (BlockSequence). */
export function createAnthropicStreamWriter({ identity, promptTokens }: StreamContext): ChatStreamWriter {
  const parts = new Map<number, OpenPart>();
  const blocks = new BlockSequence();
  let hasStarted = false;
  let calledTool = false;
  let finish: Finish | undefined;

  function start(id: string): string {
    if (hasStarted) return '';
    hasStarted = true;
    // Clients follow the size of the context from here, so the estimate stands until the end corrects it.
    const usage = {
      input_tokens: promptTokens,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      output_tokens: 1,
    };
    const message = {
      id: messageId(id || identity.id),
      type: 'message',
      role: 'assistant',
      model: identity.model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage,
    };
    return writeEvent({ type: 'message_start', message });
  }

  function open(event: OpenEvent): void {
    const isCustom = event.kind === 'toolCall' && event.custom === true;
    parts.set(event.part, { kind: event.kind, free: isCustom ? '' : undefined, arguments: new ArgumentPieces() });
    switch (event.kind) {
      case 'toolCall':
        calledTool = true;
        if (carriesSignature(event)) blocks.thinking(event.opaque);
        blocks.tool(event.part, { type: 'tool_use', id: event.id, name: event.name, input: {} });
        break;
      case 'media': {
        const text = writeMediaText(event);
        if (text !== '') blocks.text(event.part, text);
        break;
      }
      case 'native': {
        const block = writeNativeBlock(event);
        if (block) blocks.whole(block);
        break;
      }
      default:
        break;
    }
  }

  function delta(number: number, part: OpenPart, text: string): void {
    if (part.free !== undefined) part.free += text;
    else if (part.kind === 'toolCall') blocks.arguments(number, part.arguments.add(text));
    else if (part.kind === 'reasoning') blocks.reasoning(number, text);
    else blocks.text(number, text);
  }

  function close(number: number, part: OpenPart, opaque: Opaque | undefined): void {
    if (part.free !== undefined) blocks.arguments(number, customToolArguments(part.free));
    else if (part.kind === 'toolCall') blocks.arguments(number, part.arguments.end());
    if (part.kind === 'reasoning' && opaque) blocks.sign(number, opaque);
    blocks.close(number);
    parts.delete(number);
  }

  function onPart(event: Extract<ChatEvent, { type: 'delta' | 'citation' | 'logprobs' | 'close' }>): void {
    const part = parts.get(event.part);
    if (!part) return;
    if (event.type === 'delta') delta(event.part, part, event.text);
    if (event.type === 'close') close(event.part, part, event.opaque);
    if (event.type !== 'citation' || part.kind !== 'text') return;
    const citation = writeCitation(event.citation);
    if (citation) blocks.cite(event.part, citation);
  }

  return {
    event(event) {
      switch (event.type) {
        case 'start':
          return start(event.id);
        case 'ping':
          return hasStarted ? writeEvent({ type: 'ping' }) : '';
        case 'open':
          // Anthropic sends one choice per request.
          if (event.choice === 0) open(event);
          break;
        case 'delta':
        case 'citation':
        case 'close':
          onPart(event);
          break;
        case 'finish':
          if (event.choice === 0) finish = event;
          break;
        default:
          break;
      }
      return blocks.take().map(writeEvent).join('');
    },
    takeOver() {
      for (const [number, { kind }] of parts) {
        if (kind === 'reasoning') blocks.reasoning(number, '');
        else if (kind !== 'toolCall') blocks.text(number, '');
      }
      blocks.take();
      return true;
    },
    end(usage) {
      blocks.finish();
      const { stop_reason, stop_sequence, stop_details } = writeStop(finish, calledTool);
      const delta = { stop_reason, stop_sequence, ...(stop_details !== undefined && { stop_details }) };
      const last = [{ type: 'message_delta', delta, usage: writeAnthropicUsage(usage) }, { type: 'message_stop' }];
      return start('') + [...blocks.take(), ...last].map(writeEvent).join('');
    },
  };
}

function writeEvent(event: JsonObject): string {
  return `event: ${String(event.type)}\ndata: ${JSON.stringify(event)}\n\n`;
}
