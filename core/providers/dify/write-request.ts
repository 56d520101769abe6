import type { WrittenRequest } from '../../canonical/chat-codec.ts';
import type { ChatRequest, Part } from '../../canonical/chat-request.ts';
import { clientField } from '../../canonical/client-field.ts';
import { Losses } from '../../canonical/loss.ts';
import { notPossible } from '../../canonical/not-possible.ts';
import { hashedIdentifier } from '../../canonical/safe-identifier.ts';
import { writeTranscript } from '../../canonical/transcript.ts';
import { isJsonObject, type JsonObject } from '../../lib/json-value.ts';
import type { Steps } from '../../lib/steps.ts';
import { dropModelFields, formatSentence } from '../app-chat.ts';
import { typeFacts } from '../type-fact.ts';

export const { label } = typeFacts(37);

/**
 * A neutral call as one question to an app. Every call opens a conversation of its own: a gateway keeps none. `inputs` of an OpenAI
 * client are the app's variables.
 */
export function* writeDifyRequest(request: ChatRequest): Steps<WrittenRequest> {
  const losses = new Losses();
  const { origin, extras, userId } = request;
  yield* dropModelFields(request, { vendor: label, losses, kept: ['inputs'] });
  const format = formatSentence(request, losses);
  const { text, isJoined } = writeTranscript(request, ...(format === undefined ? [] : [format]));
  if (isJoined) losses.emulate(clientField(origin, 'messages'));
  const { inputs } = extras;
  return {
    losses: losses.list,
    body: {
      inputs: isJsonObject(inputs) ? inputs : {},
      query: text,
      response_mode: 'streaming',
      user: userId === undefined ? 'tollgate' : hashedIdentifier(userId),
      files: request.messages.flatMap(({ parts }) => parts.flatMap((part) => writeFile(part, request))),
      // A name for the conversation would cost a call of a model.
      auto_generate_name: false,
    },
  };
}

function writeFile(part: Part, request: ChatRequest): JsonObject[] {
  if (part.kind === 'toolResult') return part.parts.flatMap((inner) => writeFile(inner, request));
  if (part.kind === 'audio') throw refusal('audio', request);
  if (part.kind !== 'image' && part.kind !== 'document') return [];
  const { source } = part;
  if (source.type !== 'url') throw refusal(`${part.kind} without an address`, request);
  return [{ type: part.kind, transfer_method: 'remote_url', url: source.url }];
}

function refusal(what: string, { origin }: ChatRequest): Error {
  return notPossible(`${clientField(origin, 'messages')}: ${what}`, label);
}
