import type { JsonObject } from '../../lib/json-value.ts';

/** The settings of a client secret, as the client would send them itself. */
export function settingsEvent(session: JsonObject): Buffer {
  return Buffer.from(JSON.stringify({ type: 'session.update', session }));
}
