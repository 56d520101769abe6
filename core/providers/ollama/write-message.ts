import { argumentObjectOrWrapped } from '../../canonical/tool-arguments.ts';
import { readDataUrl } from '../../lib/data-url.ts';
import { type JsonObject, recordOf, recordsOf, textOf } from '../../lib/json-value.ts';
import { isStep, type Steps } from '../../lib/steps.ts';

/** OpenAI's messages as Ollama has them. `refuse` makes the error for content that only other vendors take. */
export function* writeOllamaMessages(messages: JsonObject[], refuse: (what: string) => Error): Steps<JsonObject[]> {
  // Calls have no ids here: a result names the tool.
  const toolNames = new Map<unknown, unknown>();
  const written: JsonObject[] = [];
  for (const message of messages) {
    if (isStep(written.length)) yield;
    const { role, content, reasoning_content: thinking, tool_calls: given, tool_call_id: callId } = message;
    const calls = recordsOf(given);
    for (const { id, function: called } of calls) toolNames.set(id, recordOf(called).name);
    written.push({
      role,
      ...(yield* writeContent(content, refuse)),
      ...(typeof thinking === 'string' && { thinking }),
      ...(calls.length > 0 && { tool_calls: calls.map(writeCall) }),
      ...(role === 'tool' && { tool_name: toolNames.get(callId) }),
    });
  }
  return written;
}

function writeCall({ function: called }: JsonObject): JsonObject {
  const { name, arguments: text } = recordOf(called);
  return { function: { name, arguments: argumentObjectOrWrapped(textOf(text)) } };
}

function* writeContent(content: unknown, refuse: (what: string) => Error): Steps<JsonObject> {
  if (!Array.isArray(content)) return { content: textOf(content) };
  const texts: string[] = [];
  const images: string[] = [];
  for (const [index, part] of recordsOf(content).entries()) {
    if (isStep(index)) yield;
    if (part.type === 'text') texts.push(textOf(part.text));
    else if (part.type === 'image_url') images.push(yield* base64Of(part, refuse));
    else throw refuse(textOf(part.type));
  }
  return { content: texts.join('\n\n'), ...(images.length > 0 && { images }) };
}

function* base64Of({ image_url: image }: JsonObject, refuse: (what: string) => Error): Steps<string> {
  const url = textOf(recordOf(image).url);
  const source = yield* readDataUrl(url);
  if (!source) throw refuse(url.slice(0, 200));
  return source.data;
}
