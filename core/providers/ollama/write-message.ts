import { argumentObjectOrWrapped } from '../../canonical/tool-arguments.ts';
import { readDataUrl } from '../../lib/data-url.ts';
import { type JsonObject, recordOf, recordsOf, textOf } from '../../lib/json-value.ts';

/** OpenAI's messages as Ollama has them. `refuse` makes the error for content that only other vendors take. */
export function writeOllamaMessages(messages: JsonObject[], refuse: (what: string) => Error): JsonObject[] {
  // Calls have no ids here: a result names the tool.
  const toolNames = new Map<unknown, unknown>();
  return messages.map((message) => {
    const { role, content, reasoning_content: thinking, tool_calls: given, tool_call_id: callId } = message;
    const calls = recordsOf(given);
    for (const { id, function: called } of calls) toolNames.set(id, recordOf(called).name);
    return {
      role,
      ...writeContent(content, refuse),
      ...(typeof thinking === 'string' && { thinking }),
      ...(calls.length > 0 && { tool_calls: calls.map(writeCall) }),
      ...(role === 'tool' && { tool_name: toolNames.get(callId) }),
    };
  });
}

function writeCall({ function: called }: JsonObject): JsonObject {
  const { name, arguments: text } = recordOf(called);
  return { function: { name, arguments: argumentObjectOrWrapped(textOf(text)) } };
}

function writeContent(content: unknown, refuse: (what: string) => Error): JsonObject {
  if (!Array.isArray(content)) return { content: textOf(content) };
  const texts: string[] = [];
  const images: string[] = [];
  for (const part of recordsOf(content)) {
    if (part.type === 'text') texts.push(textOf(part.text));
    else if (part.type === 'image_url') images.push(base64Of(part, refuse));
    else throw refuse(textOf(part.type));
  }
  return { content: texts.join('\n\n'), ...(images.length > 0 && { images }) };
}

function base64Of({ image_url: image }: JsonObject, refuse: (what: string) => Error): string {
  const url = textOf(recordOf(image).url);
  const source = readDataUrl(url);
  if (!source) throw refuse(url.slice(0, 200));
  return source.data;
}
