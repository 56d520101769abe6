import type { IncomingMessage, ServerResponse } from 'node:http';

/** Clients that wait with their body until they are told to send it (`Expect: 100-continue`). */
const waiting = new WeakMap<IncomingMessage, ServerResponse>();

export function keepWaiting(incoming: IncomingMessage, outgoing: ServerResponse): void {
  waiting.set(incoming, outgoing);
}

/** To be called where the reading of a body begins: by then the caller is known. */
export function askForBody(incoming: IncomingMessage): void {
  if (incoming.headers.expect === undefined) return;
  waiting.get(incoming)?.writeContinue();
  waiting.delete(incoming);
}
