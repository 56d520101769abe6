import { madeCallId } from '../../canonical/call-id.ts';
import { countOf, isJsonObject, type JsonObject } from '../../lib/json-value.ts';
import { ToolCallSlots } from './tool-call-slots.ts';

/** More choices than may be asked for. */
const maxChoices = 128;

/**
 * Tool calls in a stream that is otherwise passed on as it is: OpenAI's SDKs put their pieces together by number, and lose calls
 * without one, or mix those that share one. Undefined for an event whose calls are numbered as OpenAI numbers them.
 */
export function createCallNumbering(id: string): (event: unknown) => JsonObject | undefined {
  const slots = new Map<number, ToolCallSlots>();

  function slotsOf(index: number): ToolCallSlots {
    const known = slots.get(index) ?? new ToolCallSlots(madeCallId(id, index));
    if (slots.size < maxChoices) slots.set(index, known);
    return known;
  }

  return (event) => {
    if (!(isJsonObject(event) && Array.isArray(event.choices))) return undefined;
    let hasChanged = false;
    const choices = event.choices.map((choice: unknown, position) => {
      const delta = isJsonObject(choice) ? choice.delta : undefined;
      if (!(isJsonObject(choice) && isJsonObject(delta) && Array.isArray(delta.tool_calls))) return choice;
      const numbered = slotsOf(countOf(choice.index) ?? position).place(delta.tool_calls);
      if (numbered.every(({ call, written }) => call.index === written.index)) return choice;
      hasChanged = true;
      return { ...choice, delta: { ...delta, tool_calls: numbered.map(({ written }) => written) } };
    });
    return hasChanged ? { ...event, choices } : undefined;
  };
}
