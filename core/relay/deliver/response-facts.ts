import type { ChatEvent } from '../../canonical/chat-event.ts';
import { isChatProtocol } from '../../canonical/chat-request.ts';
import { isJsonObject } from '../../lib/json-value.ts';
import { chatUpstreams } from '../../wire/chat-upstream.ts';
import type { UsageMeter } from '../meter/usage-meter.ts';
import type { PreparedAttempt } from '../run.ts';
import { responseIdentity } from './response-document.ts';

/** What telemetry wants to know of a whole response that passes as it is; without telemetry it is not read. */
export function noteFacts(attempt: PreparedAttempt, response: unknown): void {
  const { call, request } = attempt.run;
  if (!isJsonObject(response)) return;
  const { name } = call.protocol;
  if (typeof response.model === 'string') attempt.meter.responseModel = response.model;
  if (!isChatProtocol(name)) return;
  try {
    const context = { identity: responseIdentity(attempt), choices: request.choices };
    noteEvents(attempt.meter, chatUpstreams[name].readResponse(response, context));
  } catch {
    // Not a response we can read: it goes to the client as it is, and the trace says less.
  }
}

/** The same of a response that is converted. */
export function noteEvents(meter: UsageMeter, events: readonly ChatEvent[]): void {
  for (const event of events) {
    if (event.type === 'start') meter.responseModel ??= event.model;
    else if (event.type === 'finish') meter.noteFinish(event.reason);
  }
}
