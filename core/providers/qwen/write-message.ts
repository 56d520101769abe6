import type { ChatProtocol } from '../../canonical/chat-request.ts';
import { clientField } from '../../canonical/client-field.ts';
import { notPossible } from '../../canonical/not-possible.ts';
import { type JsonObject, recordOf, recordsOf, textOf } from '../../lib/json-value.ts';
import { qwenLabel } from './address.ts';

/** Models with a route of their own, on which every content is a list. */
export function isMultimodal(model: string): boolean {
  return /-vl-|-vl$|^qwen2?\.?5?-vl|^qvq|audio|omni/.test(model);
}

/** One message of OpenAI's as DashScope has it: parts are named by their kind. */
export function writeMessage(message: JsonObject, model: string, origin: ChatProtocol): JsonObject {
  const { content, ...members } = message;
  if (!isMultimodal(model)) {
    const parts = recordsOf(content);
    const foreign = parts.find(({ type }) => type !== 'text');
    if (foreign) throw notPossible(`${clientField(origin, 'messages')}: ${textOf(foreign.type)}`, qwenLabel);
    return {
      ...members,
      content: Array.isArray(content) ? parts.map(({ text }) => text).join('\n\n') : (content ?? ''),
    };
  }
  if (!Array.isArray(content)) return { ...members, content: [{ text: textOf(content) }] };
  return { ...members, content: recordsOf(content).map((part) => writePart(part, origin)) };
}

function writePart({ type, text, image_url, input_audio }: JsonObject, origin: ChatProtocol): JsonObject {
  if (type === 'text') return { text };
  if (type === 'image_url') return { image: recordOf(image_url).url };
  const { data, format } = recordOf(input_audio);
  if (type === 'input_audio') return { audio: `data:audio/${textOf(format)};base64,${textOf(data)}` };
  throw notPossible(`${clientField(origin, 'messages')}: ${textOf(type)}`, qwenLabel);
}
