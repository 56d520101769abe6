import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from '../lib/address-network.ts';

const maxSocketsPerAddress = 512;

/**
 * So many sockets of one caller, who has the whole network of an IPv6 address. A reverse proxy on this machine, or a trusted one,
 * speaks for many clients.
 */
export function limitSockets(server: Server, isExempt: (address: string) => boolean): void {
  const counts = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    if (isExempt(address)) return;
    const network = networkOf(address);
    const count = (counts.get(network) ?? 0) + 1;
    if (count > maxSocketsPerAddress) {
      socket.destroy();
      return;
    }
    counts.set(network, count);
    socket.once('close', () => {
      const left = (counts.get(network) ?? 1) - 1;
      if (left === 0) counts.delete(network);
      else counts.set(network, left);
    });
  });
}
