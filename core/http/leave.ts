import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';

/** A proxy that asks `/readyz` every two seconds, as our samples do, has seen by then that the node stops. */
const askedMs = 3000;
/** For what is on its way on the connections that a proxy has kept. */
const keptMs = 1000;

/** How long both steps of a hand-over take, which leave running calls half of a short limit. */
export function handOverTimes(limitMs: number): { askedMs: number; keptMs: number } {
  const share = Math.min(1, limitMs / 2 / (askedMs + keptMs));
  return { askedMs: askedMs * share, keptMs: keptMs * share };
}

/**
 * How a node behind a proxy leaves: it refuses connections, so that the proxy gives the call to another node, which a proxy does for no
 * call that a node has received. What arrives on the connections that the proxy has kept is served, and each of them ends with its
 * response.
 */
export function createLeave() {
  let isLeaving = false;
  return {
    /** From here on no connection is kept for another call. */
    begin(server: Server): void {
      isLeaving = true;
      // A response that has begun has promised to keep its connection: the next call on it would come too late.
      server.keepAliveTimeout = 1;
      Object.assign(server, { keepAliveTimeoutBuffer: 0 });
    },
    // Not the server's own way, which also ends the connections that wait for their next request: it may be on its way.
    refuse: (server: Server) => void NetServer.prototype.close.call(server),
    mark(outgoing: ServerResponse): void {
      if (isLeaving) outgoing.shouldKeepAlive = false;
    },
  };
}
