import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { drain } from './drain.ts';

interface Faults {
  /** Added to every packet, in each direction. */
  latencyMs: number;
  bytesPerSecond: number | undefined;
  /** Packets are cut into pieces of this many bytes. */
  sliceBytes: number | undefined;
  /** Nothing passes in either direction while set; connections stay open and nothing is lost. */
  stalled: boolean;
  /**
   * Ends the connection when these bytes pass from client to server. `before`: the server never sees them.
   * `after`: the server gets them and responds, the response is lost.
   */
  cutOn: { pattern: string; side: 'before' | 'after'; times?: number } | undefined;
}

export interface FaultProxy {
  port: number;
  set(faults: Partial<Faults>): void;
  /** Back to passing everything on. */
  heal(): Promise<void>;
  /** Ends every open connection; `reset` sends RST instead of FIN. */
  cutNow(how?: 'cut' | 'reset'): void;
  /** New connections are refused by the kernel until `heal`. */
  refuse(): Promise<void>;
  connections(): number;
  /** How often `cutOn` has struck. */
  cuts(): number;
  close(): Promise<void>;
}

const healthy: Faults = {
  latencyMs: 0,
  bytesPerSecond: undefined,
  sliceBytes: undefined,
  stalled: false,
  cutOn: undefined,
};

/** A TCP proxy in front of a database or an upstream whose faults can be switched while it runs. */
export async function startFaultProxy(target: { port: number; host?: string }): Promise<FaultProxy> {
  const faults: Faults = { ...healthy };
  const pairs = new Set<Pair>();
  let cuts = 0;
  const onCut = () => {
    cuts += 1;
    if (faults.cutOn?.times !== undefined && cuts >= faults.cutOn.times) faults.cutOn = undefined;
  };
  const open = (client: Socket) => {
    const pair: Pair = {
      client,
      server: connectTo(target),
      muted: false,
    };
    pairs.add(pair);
    joinPair(pair, faults, onCut);
    for (const socket of [pair.client, pair.server]) socket.on('close', () => pairs.delete(pair));
  };
  let server: Server | undefined = await listen(0, open);
  const { port } = server.address() as AddressInfo;
  const cutNow = (how: 'cut' | 'reset' = 'cut') => {
    for (const pair of pairs) endPair(pair, how);
  };
  const stopListening = async () => {
    const closing = server;
    server = undefined;
    closing?.close();
  };

  return {
    port,
    set: (changes) => {
      if (changes.cutOn) cuts = 0;
      Object.assign(faults, changes);
    },
    heal: async () => {
      Object.assign(faults, healthy);
      server ??= await listen(port, open);
    },
    cutNow,
    refuse: async () => {
      stopListening();
      cutNow();
    },
    connections: () => pairs.size,
    cuts: () => cuts,
    close: async () => {
      stopListening();
      cutNow();
    },
  };
}

interface Pair {
  client: Socket;
  server: Socket;
  /** The pattern went through: the next response of the server is dropped and the connection ended. */
  muted: boolean;
}

async function listen(port: number, open: (client: Socket) => void): Promise<Server> {
  const server = createServer({ noDelay: true, allowHalfOpen: true }, open);
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

function connectTo({ port, host = '127.0.0.1' }: { port: number; host?: string }): Socket {
  return connect({ port, host, noDelay: true, allowHalfOpen: true });
}

function joinPair(pair: Pair, faults: Faults, onCut: () => void): void {
  pair.server.setNoDelay(true);
  for (const socket of [pair.client, pair.server]) {
    socket.on('error', () => undefined); // 'close' follows and ends the other side
    socket.on('close', () => endPair(pair, 'cut'));
  }
  void pump(pair.client, pair.server, faults, watchFor(pair, faults, onCut));
  void pump(pair.server, pair.client, faults, (bytes) => {
    if (!pair.muted) return bytes;
    endPair(pair, 'cut');
    return undefined;
  });
}

/** Looks for the pattern, also across packets; gives back what may pass, or nothing when the connection was ended. */
function watchFor(pair: Pair, faults: Faults, onCut: () => void): (bytes: Buffer) => Buffer | undefined {
  let tail = Buffer.alloc(0);
  return (bytes) => {
    const wanted = faults.cutOn;
    if (!wanted || pair.muted) return bytes;
    const pattern = Buffer.from(wanted.pattern);
    const seen = Buffer.concat([tail, bytes]);
    tail = seen.subarray(Math.max(0, seen.length - pattern.length + 1));
    if (!seen.includes(pattern)) return bytes;
    onCut();
    if (wanted.side === 'after') {
      pair.muted = true;
      return bytes;
    }
    endPair(pair, 'cut');
    return undefined;
  };
}

async function pump(
  from: Socket,
  to: Socket,
  faults: Faults,
  pass: (bytes: Buffer) => Buffer | undefined,
): Promise<void> {
  try {
    for await (const packet of from.iterator({ destroyOnReturn: false })) {
      const bytes = pass(packet as Buffer);
      if (!bytes) return;
      if (faults.latencyMs > 0) await wait(faults.latencyMs);
      const size = faults.sliceBytes ?? bytes.length;
      for (let start = 0; start < bytes.length; start += size) {
        await passSlice(bytes.subarray(start, start + size), to, faults);
      }
    }
    to.end();
  } catch {
    to.destroy(); // the reading side broke; its own 'close' has ended or will end the pair
  }
}

async function passSlice(slice: Buffer, to: Socket, faults: Faults): Promise<void> {
  while (faults.stalled && !to.destroyed) await wait(10);
  if (to.destroyed) return;
  if (!to.write(slice)) await drain(to);
  if (faults.bytesPerSecond) await wait((1000 * slice.length) / faults.bytesPerSecond);
  else if (faults.sliceBytes) await wait(0); // lets the kernel send the slice before the next one is written
}

function endPair({ client, server }: Pair, how: 'cut' | 'reset'): void {
  for (const socket of [client, server]) {
    if (socket.destroyed) continue;
    if (how === 'reset') socket.resetAndDestroy();
    else socket.destroy();
  }
}
