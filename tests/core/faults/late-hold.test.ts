import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '../../support/start-gateway.ts';
import { createMigratedTarget, type TemporaryTarget } from '../../support/temporary-database.ts';

/** What a client has sent stays on its way, also when that client has given up; connections that are made later pass. */
async function startLatePost(port: number) {
  let isLate = false;
  const waiting: (() => void)[] = [];
  const sockets = new Set<Socket>();
  const server: Server = createServer({ allowHalfOpen: true }, (client) => {
    const to = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    for (const socket of [client, to]) {
      sockets.add(socket);
      socket.on('error', () => undefined); // the other side learns of it by the end of the link
    }
    to.on('data', (bytes) => client.write(bytes));
    to.on('end', () => client.end());
    const sendOn = (work: () => void) => (isLate && isOld ? waiting.push(work) : work());
    const isOld = !isLate;
    client.on('data', (bytes) => sendOn(() => to.write(bytes)));
    client.on('close', () => sendOn(() => to.end()));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    delay() {
      isLate = true;
    },
    deliver() {
      isLate = false;
      for (const work of waiting.splice(0)) work();
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

describe('a hold whose statement arrives after its call was turned down', () => {
  let place: TemporaryTarget;
  let post: Awaited<ReturnType<typeof startLatePost>>;
  let gateway: TestGateway;

  beforeEach(async () => {
    place = await createMigratedTarget('postgres');
    const url = new URL(place.target.engine === 'postgres' ? place.target.url : '');
    post = await startLatePost(Number(url.port));
    url.port = String(post.port);
    gateway = await startGateway('postgres', { SQL_DSN: url.href });
  });
  afterEach(async () => {
    await gateway.stop();
    post.close();
    await place.remove();
  });

  async function openHolds(): Promise<number> {
    const [row] = await gateway.app.database.select<{ count: number }>(
      'SELECT count(*) AS count FROM quota_holds WHERE state = 0',
    );
    return Number(row?.count);
  }

  it('M5, F36 is given back while its server lives', async () => {
    expect((await gateway.chat()).status).toBe(200);
    const quota = await gateway.quotaOf(gateway.userId);
    post.delay();
    expect((await gateway.chat()).status).toBe(503);
    // The statement's own limit, and the moment at which its hold would have been given back.
    await wait(14_000);
    expect((await gateway.chat()).status).toBe(200);
    expect(await openHolds()).toBe(0);
    post.deliver();
    await expect.poll(openHolds).toBe(1);
    await gateway.app.database.sequelize.query('UPDATE quota_holds SET created_at = created_at - 120');
    await gateway.app.ledger.sweep();
    expect(await openHolds()).toBe(0);
    const [, second] = await gateway.logs();
    expect(await gateway.quotaOf(gateway.userId)).toBe(quota - (second?.quota ?? 0));
    await gateway.verifyBooks();
  }, 60_000);
});
