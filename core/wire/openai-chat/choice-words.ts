import { isJsonObject, type JsonObject } from '../../lib/json-value.ts';

/** The text of a choice that is neither in a delta nor in a message: some vendors write it where the older completions have it. */
export function bareText({ text }: JsonObject): JsonObject | undefined {
  return typeof text === 'string' ? { content: text } : undefined;
}

/** A whole response, or an event of a stream, with what each choice says where OpenAI's chat has it. */
export function placeWords(response: unknown, place: 'message' | 'delta'): unknown {
  if (!isJsonObject(response) || !Array.isArray(response.choices)) return response;
  if (!response.choices.some((choice: unknown) => isJsonObject(choice) && isMisplaced(choice, place))) return response;
  return {
    ...response,
    choices: response.choices.map((choice: unknown) => {
      if (!isJsonObject(choice) || !isMisplaced(choice, place)) return choice;
      const { text: _text, message: _message, delta, ...rest } = choice;
      return { ...rest, [place]: isJsonObject(delta) ? delta : bareText(choice) };
    }),
  };
}

/** A message in a stream is not: it may repeat what the deltas said. */
function isMisplaced(choice: JsonObject, place: 'message' | 'delta'): boolean {
  const { delta, message } = choice;
  if (isJsonObject(message)) return false;
  return isJsonObject(delta) ? place === 'message' : bareText(choice) !== undefined;
}
