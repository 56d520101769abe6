import { type JsonObject, recordsOf } from '../../lib/json-value.ts';

/** The tools of a Responses call: its own, and those that items of its input bring along. */
export function toolsIn({ input, tools }: JsonObject): JsonObject[] {
  return [...recordsOf(tools), ...recordsOf(input).flatMap((item) => recordsOf(item.tools))];
}
