import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** A client on a slow line sends a prompt of some MiB in this time. */
const lingerMs = 10_000;
/** Nothing came between two looks: the client waits, and is not waited for. */
const lookMs = 2000;

const lingering = new WeakSet<Socket>();

/** Its last response is out: whatever else comes on it is not served. */
export function isLingering({ socket }: IncomingMessage): boolean {
  return lingering.has(socket);
}

/**
 * A connection that is closed under a client which still sends is reset, and the response may be lost with it: the client sees a broken
 * connection instead of the reason why it was refused. So the connection ends in one direction only, and what still comes is read and
 * dropped, for a while (RFC 9112, 9.6).
 */
export function lingerAtEnd(socket: Socket): void {
  const closeAtOnce = socket.destroySoon.bind(socket);
  // Node calls it after the last response of a connection.
  socket.destroySoon = () => {
    const incoming = incomingOf(socket);
    if (!incoming || incoming.complete || incoming.destroyed) closeAtOnce();
    else linger(socket, incoming);
  };
}

/** The request whose body is being read, node's own field. */
function incomingOf(socket: Socket): IncomingMessage | undefined {
  return (socket as Socket & { parser?: { incoming?: IncomingMessage | null } | null }).parser?.incoming ?? undefined;
}

function linger(socket: Socket, incoming: IncomingMessage): void {
  lingering.add(socket);
  socket.end();
  const until = performance.now() + lingerMs;
  let read = socket.bytesRead;
  const looking = setInterval(() => {
    if (socket.bytesRead === read || performance.now() > until) socket.destroy();
    read = socket.bytesRead;
  }, lookMs).unref();
  socket.once('close', () => clearInterval(looking));
  incoming.once('end', () => socket.destroy());
  incoming.resume();
}
