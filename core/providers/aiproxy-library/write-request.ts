import type { WriteContext, WrittenRequest } from '../../canonical/chat-codec.ts';
import type { ChatRequest } from '../../canonical/chat-request.ts';
import { clientField } from '../../canonical/client-field.ts';
import { instructionTexts } from '../../canonical/instruction.ts';
import { Losses } from '../../canonical/loss.ts';
import { notPossible } from '../../canonical/not-possible.ts';
import { writeTranscript } from '../../canonical/transcript.ts';
import type { Steps } from '../../lib/steps.ts';
import { dropModelFields } from '../app-chat.ts';

export const label = 'AI Proxy';

/** A neutral call as a question to a knowledge base, which is searched for the words of the last message alone. */
export function* writeLibraryRequest(request: ChatRequest, { model }: WriteContext): Steps<WrittenRequest> {
  const losses = new Losses();
  const { origin, messages, output, userId } = request;
  yield* dropModelFields(request, { vendor: label, losses });
  if (userId !== undefined) losses.drop(clientField(origin, 'userId'));
  if (output.kind !== 'text') losses.drop(clientField(origin, 'output'));
  const last = messages.slice(-1);
  const media = last.flatMap(({ parts }) => parts).find(({ kind }) => isMedia.has(kind));
  if (media) throw notPossible(`${clientField(origin, 'messages')}: ${media.kind}`, label);
  if (messages.length > 1 || instructionTexts(request).length > 0) losses.drop(clientField(origin, 'messages'));
  const { text } = writeTranscript({ instructions: [], messages: last });
  return { losses: losses.list, body: { model, query: text, stream: request.stream } };
}

const isMedia: ReadonlySet<string> = new Set(['image', 'audio', 'document']);
