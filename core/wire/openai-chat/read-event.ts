import type { Usage } from '../../canonical/usage.ts';
import { UpstreamError } from '../../errors/upstream-error.ts';
import { isJsonObject, type JsonObject } from '../../lib/json-value.ts';
import { coded } from '../../text/coded.ts';
import { emptyReading, withReason } from '../event-reading.ts';
import type { EventReading } from '../protocol.ts';
import { isBrokenReason, isFinishReason, mapFinishReason } from './finish-reason.ts';
import { memberTexts } from './members.ts';
import { readResponseUsage } from './usage.ts';

/** Runs once per event of every stream. */
export function readChatEvent(event: unknown): EventReading {
  const reading = emptyReading();
  if (typeof event !== 'object' || event === null) return reading;
  const { choices, usage, error, base_resp } = event as JsonObject;
  if (error) reading.error = error;
  // MiniMax reports failures inside a response that is otherwise in order.
  else if (base_resp && isJsonObject(base_resp) && base_resp.status_code) reading.error = base_resp;
  let choiceUsage = false;
  const length = Array.isArray(choices) ? choices.length : 0;
  for (let index = 0; index < length; index += 1) {
    const choice: unknown = (choices as unknown[])[index];
    if (!isJsonObject(choice)) continue;
    readChoice(choice, reading);
    if (choice.usage) choiceUsage = true;
  }
  if (usage || choiceUsage || (event as JsonObject).x_groq)
    reading.usage = readResponseUsage(event) as Usage | undefined;
  reading.usageOnly = length === 0 && isJsonObject(usage) && reading.error === undefined;
  return reading;
}

function readChoice(choice: JsonObject, reading: EventReading): void {
  const { delta, finish_reason: reason } = choice;
  if (isJsonObject(delta)) reading.text += deltaText(delta);
  // Some upstreams send a whole message instead; with the finish it repeats what the deltas said (MiniMax).
  else if (isJsonObject(choice.message)) {
    if (!reason) reading.text += deltaText(choice.message);
  } else if (typeof choice.text === 'string') reading.text += choice.text;
  if (!isFinishReason(reason)) return;
  if (!isBrokenReason(reason)) {
    reading.finished = true;
    reading.finishReason = withReason(reading.finishReason, mapFinishReason(reason, false));
  } else
    reading.error ??= new UpstreamError({
      status: 502,
      code: reason,
      coded: coded('upstream.endedWith', { code: reason }),
      kind: 'retry',
    });
}

/** Whether an event without text carries something anyway: sound, a picture, reasoning that only the vendor can read. */
export function hasOtherContent(event: unknown): boolean {
  const { choices } = (event ?? {}) as JsonObject;
  return Array.isArray(choices) && choices.some((choice) => isJsonObject(choice) && isFilled(choice.delta));
}

/** What every event repeats, whatever it says. */
const frameKeys: ReadonlySet<string> = new Set(['role', 'type', 'id', 'index', 'format']);

function isFilled(value: unknown): boolean {
  if (typeof value === 'string') return value !== '';
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, member]) => !frameKeys.has(key) && isFilled(member));
}

/** A lone delta is not copied. */
function deltaText(delta: JsonObject): string {
  const texts = memberTexts(delta);
  return texts.length === 1 ? (texts[0] ?? '') : texts.join('');
}
