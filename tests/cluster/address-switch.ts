import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface AddressSwitch {
  port: number;
  /** From now on the address leads there; connections to the former place end. */
  lead(port: number): void;
  close(): void;
}

/** One address in front of two databases, as a virtual IP or a TCP load balancer is. */
export async function startAddressSwitch(first: number): Promise<AddressSwitch> {
  let target = first;
  const open = new Set<Socket>();
  const server = createServer({ noDelay: true }, (client) => {
    const onward = connect({ port: target, host: '127.0.0.1', noDelay: true });
    for (const [socket, other] of [
      [client, onward],
      [onward, client],
    ] as const) {
      open.add(socket);
      socket.on('error', () => undefined); // 'close' follows
      socket.on('close', () => {
        open.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = () => {
    for (const socket of open) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    lead(port) {
      target = port;
      cut();
    },
    close() {
      server.close();
      cut();
    },
  };
}
