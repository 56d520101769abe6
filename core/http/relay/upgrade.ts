import { IncomingMessage, STATUS_CODES } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { ownPathOf, pathOf } from '../request-path.ts';
import type { RawRoute, Route } from '../route.ts';

/**
 * As soon as there is a listener for upgrades, node takes every request that offers one out of the hands of HTTP, also the `Upgrade: h2c`
 * that Java's client sends with each call. With this class it only does so for those that are meant; the others are served as if
 * they had offered nothing, as RFC 9110 (7.8) has it.
 */
export function upgradableRequest(isMeant: (incoming: IncomingMessage) => boolean): typeof IncomingMessage {
  return class extends IncomingMessage {
    declare private offersUpgrade: boolean | undefined;

    get upgrade(): boolean {
      return this.offersUpgrade === true && (this.method === 'CONNECT' || isMeant(this));
    }

    set upgrade(value: boolean | null) {
      this.offersUpgrade = value === true;
    }
  };
}

/** The routes that take upgrades, and the connections they took. */
export function createUpgrades(routes: readonly Route[], headersOf: (incoming: IncomingMessage) => readonly string[]) {
  const byPath = new Map<string, NonNullable<RawRoute['upgrade']>>();
  for (const route of routes) {
    if (!('upgrade' in route && route.upgrade)) continue;
    for (const path of [route.path, `${route.path}/`]) byPath.set(path, route.upgrade);
  }
  const taken = new Set<Socket>();
  const upgradeFor = (incoming: IncomingMessage) => byPath.get(ownPathOf(pathOf(incoming)));

  return {
    isMeant: (incoming: IncomingMessage) => isWebSocket(incoming) && upgradeFor(incoming) !== undefined,
    take(incoming: IncomingMessage, socket: Duplex, head: Buffer): void {
      const upgrade = upgradeFor(incoming);
      // Node's own server hands out the sockets it took itself.
      if (!(upgrade && socket instanceof Socket)) return void socket.destroy();
      taken.add(socket);
      socket.once('close', () => taken.delete(socket));
      void upgrade({ incoming, socket, head, headers: headersOf(incoming) });
    },
    /** For those that are still there when the server is to be closed. */
    cutOff(): void {
      for (const socket of taken) socket.destroy();
    },
  };
}

function isWebSocket({ method, headers }: IncomingMessage): boolean {
  return method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket';
}

/** A HTTP response on a connection that node has let go of; the connection is over with it. */
export function respondOnSocket(socket: Socket, status: number, headers: readonly string[], body: Buffer): void {
  const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`];
  for (let at = 0; at < headers.length; at += 2) lines.push(`${headers[at]}: ${headers[at + 1]}`);
  lines.push(`date: ${new Date().toUTCString()}`, 'connection: close');
  socket.end(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), body]), () => socket.destroy());
}
