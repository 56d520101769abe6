import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FaultProxy, startFaultProxy } from './fault-proxy.ts';

let server: Server;
let proxy: FaultProxy;
let received = '';

beforeEach(async () => {
  received = '';
  server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => {
      received += bytes;
      socket.write(`<${bytes}>`);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  proxy = await startFaultProxy({ port: (server.address() as AddressInfo).port });
});
afterEach(async () => {
  await proxy.close();
  server.close();
});

async function open(): Promise<{ socket: Socket; text: () => string; closed: () => boolean }> {
  const socket = connect(proxy.port, '127.0.0.1');
  let text = '';
  socket.on('data', (bytes) => {
    text += bytes;
  });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return { socket, text: () => text, closed: () => socket.destroyed };
}

describe('fault proxy', () => {
  it('passes everything on while healthy', async () => {
    const { socket, text } = await open();
    socket.write('hello');
    await expect.poll(text).toBe('<hello>');
    socket.end();
    await expect.poll(() => proxy.connections()).toBe(0);
  });

  it('loses the words before or after the server has them, wherever the packet is split', async () => {
    for (const [side, seen] of [
      ['before', 'BEGIN;COM'],
      ['after', 'BEGIN;COMMIT'],
    ] as const) {
      received = '';
      proxy.set({ cutOn: { pattern: 'COMMIT', side, times: 1 } });
      const { socket, text, closed } = await open();
      socket.setNoDelay(true);
      socket.write('BEGIN;COM');
      await expect.poll(() => text()).toBe('<BEGIN;COM>');
      socket.write('MIT');
      await expect.poll(closed).toBe(true);
      expect(received).toBe(seen);
      expect(text()).toBe('<BEGIN;COM>');
      expect(proxy.cuts()).toBe(1);
    }
  });

  it('stalls and goes on without losing a byte', async () => {
    const { socket, text } = await open();
    proxy.set({ stalled: true });
    socket.write('hello');
    await new Promise((done) => setTimeout(done, 100));
    expect(text()).toBe('');
    proxy.set({ stalled: false });
    await expect.poll(text).toBe('<hello>');
    socket.destroy();
  });

  it('refuses new connections until it is healed', async () => {
    await proxy.refuse();
    await expect(once(connect(proxy.port, '127.0.0.1'), 'connect')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    await proxy.heal();
    const { socket, text } = await open();
    socket.write('back');
    await expect.poll(text).toBe('<back>');
    socket.destroy();
  });

  it('slices, delays and limits what passes', async () => {
    proxy.set({ sliceBytes: 1, latencyMs: 20, bytesPerSecond: 1000 });
    const { socket, text } = await open();
    const started = Date.now();
    socket.write('hello');
    await expect.poll(() => text().replace(/[<>]/g, '')).toBe('hello');
    expect(Date.now() - started).toBeGreaterThanOrEqual(40);
    socket.destroy();
  });

  it('ends every open connection at once', async () => {
    const all = await Promise.all([open(), open()]);
    await expect.poll(() => proxy.connections()).toBe(2);
    proxy.cutNow('reset');
    await expect.poll(() => all.every(({ closed }) => closed())).toBe(true);
  });
});
