import type { StreamContext } from '../../canonical/chat-codec.ts';
import type { ChatEvent } from '../../canonical/chat-event.ts';
import { foldEvents, type ResponsePart } from '../../canonical/fold.ts';
import { argumentObjectOrWrapped } from '../../canonical/tool-arguments.ts';
import { emptyUsage } from '../../canonical/usage.ts';
import type { JsonObject } from '../../lib/json-value.ts';
import {
  carriesSignature,
  messageId,
  writeCitation,
  writeMediaText,
  writeNativeBlock,
  writeStop,
  writeThinkingBlock,
} from './write-part.ts';
import { writeAnthropicUsage } from './write-usage.ts';

/** A whole message. */
export function writeAnthropicResponse(events: readonly ChatEvent[], { identity }: StreamContext): JsonObject {
  const response = foldEvents(events);
  const choice = response.choices[0];
  const parts = choice?.parts ?? [];
  const calledTool = parts.some(({ kind }) => kind === 'toolCall');
  return {
    id: messageId(response.id || identity.id),
    type: 'message',
    role: 'assistant',
    model: identity.model,
    content: parts.flatMap((part) => writePart(part, calledTool)),
    ...writeStop(choice?.finish, calledTool),
    usage: writeAnthropicUsage(response.usage ?? emptyUsage),
  };
}

function writePart(part: ResponsePart, calledTool: boolean): JsonObject[] {
  switch (part.kind) {
    case 'text': {
      // Blank text beside calls is noise, and would be refused in the next request.
      if (part.text === '' || (calledTool && part.text.trim() === '')) return [];
      const citations = part.citations.map(writeCitation).filter((citation) => citation !== undefined);
      return [{ type: 'text', text: part.text, ...(citations.length > 0 && { citations }) }];
    }
    case 'refusal':
      return part.text === '' ? [] : [{ type: 'text', text: part.text }];
    case 'reasoning':
      return part.text === '' && !part.opaque ? [] : [writeThinkingBlock(part.text, part.opaque)];
    case 'toolCall': {
      const input = part.custom ? { input: part.arguments } : argumentObjectOrWrapped(part.arguments);
      const call = { type: 'tool_use', id: part.id, name: part.name, input };
      return carriesSignature(part) ? [writeThinkingBlock('', part.opaque), call] : [call];
    }
    case 'media': {
      const text = writeMediaText(part);
      return text === '' ? [] : [{ type: 'text', text }];
    }
    case 'native': {
      const block = writeNativeBlock(part);
      return block ? [block] : [];
    }
  }
}
