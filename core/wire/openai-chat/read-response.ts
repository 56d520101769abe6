import { isJsonObject } from '../../lib/json-value.ts';
import { bareText } from './choice-words.ts';
import { memberTexts } from './members.ts';

/** Everything a model wrote in a whole response: content, reasoning, refusals, tool names and arguments of all choices. */
export function readChatText(response: unknown): string[] {
  if (!isJsonObject(response) || !Array.isArray(response.choices)) return [];
  return response.choices.flatMap((choice: unknown) => {
    const message = isJsonObject(choice) ? (choice.message ?? choice.delta ?? bareText(choice)) : undefined;
    return isJsonObject(message) ? memberTexts(message) : [];
  });
}
