import type { ProtocolName } from '../canonical/request.ts';
import { formatAnswer } from './openai-chat/force-format.ts';
import type { StreamIdentity } from './openai-chat/usage-chunk.ts';

type Loose = Record<string, unknown>;

/** The events of a stream whose upstream ignored `stream` and sent one document, as the client expects them. */
export function documentChunks(protocol: ProtocolName, document: unknown, identity: StreamIdentity): unknown[] {
  if (!isObject(document)) return [document];
  switch (protocol) {
    case 'openai-chat':
      return chatChunks(formatAnswer(document, identity), document);
    case 'openai-completion':
      return completionChunks(document);
    case 'openai-transcription':
      return [
        { type: 'transcript.text.delta', delta: document.text },
        { type: 'transcript.text.done', text: document.text, ...usageOf(document) },
      ];
    case 'openai-image':
      return imageEvents(document, 'image_generation.completed');
    case 'openai-image-edit':
      return imageEvents(document, 'image_edit.completed');
    default:
      return [document];
  }
}

/** First what each choice says, then how it ended, then usage: the order of OpenAI's own streams. */
function chatChunks(answer: Loose, document: Loose): Loose[] {
  const { choices, usage: _usage, object: _object, ...shared } = answer;
  const chunk = (list: unknown[], more: Loose = {}): Loose => ({
    ...shared,
    object: 'chat.completion.chunk',
    choices: list,
    ...more,
  });
  const chunks: Loose[] = [];
  for (const choice of choices as Loose[]) {
    const { index, message, logprobs, finish_reason } = choice;
    chunks.push(chunk([{ index, delta: numbered(message as Loose), logprobs, finish_reason: null }]));
    chunks.push(chunk([{ index, delta: {}, logprobs: null, finish_reason }]));
  }
  if (isObject(document.usage)) chunks.push(chunk([], { usage: document.usage }));
  return chunks;
}

function numbered(message: Loose): Loose {
  const { tool_calls: calls } = message;
  if (!Array.isArray(calls)) return message;
  return { ...message, tool_calls: calls.map((call: Loose, index) => ({ index, ...call })) };
}

function completionChunks(document: Loose): Loose[] {
  const { usage, ...answer } = document;
  return isObject(usage) ? [answer, { ...answer, choices: [], usage }] : [answer];
}

function imageEvents(document: Loose, type: string): Loose[] {
  const { data, created, background, output_format, quality, size } = document;
  const pictures = Array.isArray(data) ? data.filter(isObject) : [];
  return pictures.map((picture, index) => ({
    type,
    ...picture,
    created_at: created,
    background,
    output_format,
    quality,
    size,
    // Once, with the last picture: it is the usage of all of them.
    ...(index === pictures.length - 1 && usageOf(document)),
  }));
}

function usageOf({ usage }: Loose): Loose {
  return isObject(usage) ? { usage } : {};
}

function isObject(value: unknown): value is Loose {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
