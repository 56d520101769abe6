import { isJsonObject } from '../../lib/json-value.ts';
import { contentText, separateReasoning } from './members.ts';

const openTag = '<think>\n';
const closeTag = '\n</think>\n';

/** A whole response with each choice's reasoning moved in front of its content, between tags. */
export function moveThinking(response: unknown): unknown {
  if (!isJsonObject(response) || !Array.isArray(response.choices)) return response;
  return {
    ...response,
    choices: response.choices.map((choice: unknown) => {
      if (!isJsonObject(choice) || !isJsonObject(choice.message)) return choice;
      const { reasoning_content, reasoning, ...message } = choice.message;
      const thought = separateReasoning({ reasoning_content, reasoning });
      if (thought === '') return choice;
      const content = openTag + thought + closeTag + contentText(message.content);
      return { ...choice, message: { ...message, content } };
    }),
  };
}

/** The same for a stream: the tag opens before the first reasoning of a choice and closes before whatever follows it. */
export function createThinkingMover(): (chunk: unknown) => unknown {
  const thinking = new Set<number>();
  return (chunk) => {
    if (!isJsonObject(chunk) || !Array.isArray(chunk.choices)) return chunk;
    return { ...chunk, choices: chunk.choices.map((choice: unknown) => moveDelta(choice, thinking)) };
  };
}

function moveDelta(choice: unknown, thinking: Set<number>): unknown {
  if (!isJsonObject(choice)) return choice;
  const index = typeof choice.index === 'number' ? choice.index : 0;
  const { reasoning_content, reasoning, ...delta } = isJsonObject(choice.delta) ? choice.delta : {};
  const thought = separateReasoning({ reasoning_content, reasoning });
  const content = contentText(delta.content);
  let text = '';
  if (thought !== '') {
    if (!thinking.has(index)) text += openTag;
    thinking.add(index);
    text += thought;
  }
  const goesOn =
    content !== '' || hasEntries(delta.tool_calls) || Boolean(delta.refusal) || Boolean(choice.finish_reason);
  if (goesOn && thinking.delete(index)) text += closeTag;
  if (text === '' && reasoning_content === undefined && reasoning === undefined) return choice;
  return { ...choice, delta: { ...delta, ...(text + content === '' ? {} : { content: text + content }) } };
}

function hasEntries(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0;
}
