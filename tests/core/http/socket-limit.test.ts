import { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import { beforeEach, describe, expect, it } from 'vitest';
import { limitSockets } from '../../../core/http/socket-limit.ts';

class Peer extends EventEmitter {
  isDestroyed = false;
  readonly remoteAddress: string;

  constructor(remoteAddress: string) {
    super();
    this.remoteAddress = remoteAddress;
  }

  destroy(): void {
    this.isDestroyed = true;
    this.emit('close');
  }
}

describe('the limit of sockets', () => {
  const proxy = '192.0.2.1';
  let server: EventEmitter;
  beforeEach(() => {
    server = new EventEmitter();
    limitSockets(server as Server, (address) => address === proxy);
  });

  /** How many of six hundred sockets stay open. */
  function open(addressOf: (index: number) => string): Peer[] {
    const peers = Array.from({ length: 600 }, (_, index) => new Peer(addressOf(index)));
    for (const peer of peers) server.emit('connection', peer);
    return peers.filter(({ isDestroyed }) => !isDestroyed);
  }

  it('S9 counts an IPv4 address, also where it is written as one of IPv6', () => {
    expect(open((index) => (index % 2 === 0 ? '198.51.100.7' : '::ffff:198.51.100.7'))).toHaveLength(512);
    expect(open((index) => `198.51.${index % 200}.8`)).toHaveLength(600);
  });

  it('S9 counts the network of an IPv6 address, which is of one caller', () => {
    expect(open((index) => `2001:db8:1:2::${index.toString(16)}`)).toHaveLength(512);
    expect(open((index) => `2001:db8:1:${index.toString(16)}::1`).length).toBeGreaterThan(590);
  });

  it('gives back what was closed, and exempts proxies', () => {
    for (const peer of open(() => '198.51.100.9')) peer.destroy();
    expect(open(() => '198.51.100.9')).toHaveLength(512);
    expect(open(() => proxy)).toHaveLength(600);
  });
});
