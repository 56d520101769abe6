import type { WrittenRequest } from '../../canonical/chat-codec.ts';
import type { ChatRequest, Message, Part } from '../../canonical/chat-request.ts';
import { clientField } from '../../canonical/client-field.ts';
import { instructionTexts } from '../../canonical/instruction.ts';
import { Losses } from '../../canonical/loss.ts';
import { notPossible } from '../../canonical/not-possible.ts';
import { hashedIdentifier } from '../../canonical/safe-identifier.ts';
import { writeTranscript } from '../../canonical/transcript.ts';
import type { JsonObject } from '../../lib/json-value.ts';
import type { Steps } from '../../lib/steps.ts';
import { dropModelFields, formatSentence } from '../app-chat.ts';
import { typeFacts } from '../type-fact.ts';

export const { label } = typeFacts(49);

/** A neutral call for a bot. Turns have two roles; a gateway keeps no conversation, and asks the bot to keep none. */
export function* writeCozeRequest(request: ChatRequest): Steps<WrittenRequest> {
  const losses = new Losses();
  const { origin, userId, instructions, messages } = request;
  yield* dropModelFields(request, { vendor: label, losses });
  const format = formatSentence(request, losses);
  const system = [...instructionTexts({ instructions }), ...(format === undefined ? [] : [format])];
  // The bot has a prompt of its own, and no role for another one.
  if (system.length > 0) losses.emulate(clientField(origin, 'messages'));
  return {
    losses: losses.list,
    body: {
      user_id: userId === undefined ? 'tollgate' : hashedIdentifier(userId),
      additional_messages: [
        ...system.map((text) => ({ role: 'user', content: text, content_type: 'text' })),
        ...messages.flatMap((message) => writeTurn(message, request)),
      ],
      stream: true,
      auto_save_history: false,
    },
  };
}

function writeTurn(message: Message, request: ChatRequest): JsonObject[] {
  const isResponse = message.role === 'assistant';
  const { text } = writeTranscript({ instructions: [], messages: [message] });
  const files = isResponse ? [] : message.parts.flatMap((part) => writeFile(part, request));
  if (files.length > 0) {
    const parts = [...(text === '' ? [] : [{ type: 'text', text }]), ...files];
    return [{ role: 'user', content: JSON.stringify(parts), content_type: 'object_string' }];
  }
  if (text === '') return [];
  return [
    {
      role: isResponse ? 'assistant' : 'user',
      ...(isResponse && { type: 'answer' }),
      content: text,
      content_type: 'text',
    },
  ];
}

function writeFile(part: Part, request: ChatRequest): JsonObject[] {
  if (part.kind === 'toolResult') return part.parts.flatMap((inner) => writeFile(inner, request));
  if (part.kind === 'audio') throw refusal('audio', request);
  if (part.kind !== 'image' && part.kind !== 'document') return [];
  if (part.source.type !== 'url') throw refusal(`${part.kind} without an address`, request);
  return [{ type: part.kind === 'image' ? 'image' : 'file', file_url: part.source.url }];
}

function refusal(what: string, { origin }: ChatRequest): Error {
  return notPossible(`${clientField(origin, 'messages')}: ${what}`, label);
}
