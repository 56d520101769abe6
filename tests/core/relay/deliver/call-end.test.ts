import { readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSqlite } from '../../../../core/database/sqlite-connection.ts';
import { AppError } from '../../../../core/errors/app-error.ts';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';
import { type RawServer, startRawServer } from '../../integrations/outbound/raw-server.ts';
import { openHolds, waitFor } from '../relay-checks.ts';

const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
const event = (delta: object) => `data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta }] })}\n\n`;
const json = 'content-type: application/json\r\n';
const sse = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n';

/** Where an upstream falls silent, and what it has sent by then. */
const states: Record<string, string> = {
  'before its headers': '',
  'in its headers': 'HTTP/1.1 200 OK\r\ncontent-ty',
  'in the body of an error': `HTTP/1.1 500 Oh\r\n${json}content-length: 1000\r\n\r\n{"error":`,
  'in the body of an error in pieces': `HTTP/1.1 429 No\r\n${json}transfer-encoding: chunked\r\n\r\n${chunk('{')}`,
  'in the body of an answer': `HTTP/1.1 200 OK\r\n${json}content-length: 1000\r\n\r\n{"id":`,
  'between two attempts': `HTTP/1.1 429 No\r\n${json}retry-after: 3\r\ncontent-length: 2\r\n\r\n{}`,
  'before the first word of a stream': `${sse}${chunk(event({ role: 'assistant' }))}`,
};

let gateway: TestGateway;
let upstream: RawServer;
let says = '';

beforeAll(async () => {
  upstream = await startRawServer((socket) => socket.write(says));
  gateway = await startGateway('sqlite', {}, { limits: { abandonedMs: 60 } });
  await gateway.setOption('ModelRatio', JSON.stringify({ stalling: 1 }));
  // What one call does not give back, the next one is refused for.
  await gateway.setOption('UserConcurrencyLimit', '1');
  await gateway.addChannel({ name: 'stalling', models: 'stalling', base_url: upstream.url });
});
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
});

/** A call whose body lies in a file, once the upstream has received it. */
async function begin(): Promise<{ leave(): void; response: Promise<Response> }> {
  const before = upstream.received.length;
  const leaving = new AbortController();
  const content = 'x'.repeat(1_200_000);
  const stream = says.startsWith(sse);
  const response = gateway.chat(
    { model: 'stalling', stream, messages: [{ role: 'user', content }] },
    { signal: leaving.signal },
  );
  response.catch(() => undefined);
  await waitFor('the upstream is asked', async () => upstream.received.length > before);
  return { leave: () => leaving.abort(), response };
}

/** What has been sent is read, the pause between two attempts is under way. */
const moment = () => new Promise((resolve) => setTimeout(resolve, 80));

function openBodyFiles(): string[] {
  const links = readdirSync('/proc/self/fd').map((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`);
    } catch {
      return ''; // the folder's own, closed by now
    }
  });
  return links.filter((link) => link.startsWith(`${gateway.directory}/bodies`));
}

async function expectNothingLeft(balance: number): Promise<void> {
  await waitFor('no call is in flight', async () => gateway.gateway.relay.inFlight() === 0);
  expect(await openHolds(gateway)).toBe(0);
  expect(await gateway.quotaOf(gateway.userId)).toBe(balance);
  expect(openBodyFiles()).toEqual([]);
}

describe.each(Object.entries(states))('a call whose upstream falls silent %s', (_state, bytes) => {
  it('ends when its client leaves, and gives everything back', async () => {
    says = bytes;
    const balance = await gateway.quotaOf(gateway.userId);
    const { leave, response } = await begin();
    await moment();
    const asked = upstream.received.length;
    leave();
    await expect(response).rejects.toThrow();
    await expectNothingLeft(balance);
    await waitFor('its connection is closed', async () => upstream.openCount() === 0 || bytes.includes('length: 2\r'));
    expect(upstream.received.length).toBe(asked);
  });

  it('ends with the reason when it is stopped, and asks no upstream again', async () => {
    says = bytes;
    const balance = await gateway.quotaOf(gateway.userId);
    const { response } = await begin();
    await moment();
    const asked = upstream.received.length;
    await gateway.gateway.relay.recheck(
      () => true,
      async () => new AppError('user.banned'),
    );
    const { status, body } = await response.then(async (response) => ({
      status: response.status,
      body: (await response.json()) as { error: { message: string } },
    }));
    expect(status).toBe(new AppError('user.banned').status);
    expect(body.error.message).toContain('request id');
    await expectNothingLeft(balance);
    expect(upstream.received.length).toBe(asked);
  });
});

describe('a call that goes on although its client has left', () => {
  it('is counted as long as it lasts', async () => {
    says = states['before its headers'] ?? '';
    const { leave, response } = await begin();
    expect(gateway.gateway.relay.abandoned()).toBe(0);
    // Nothing can be booked meanwhile.
    const other = await openSqlite(join(gateway.directory, 'tollgate.db'));
    await waitFor('the file is locked', () =>
      other
        .exec('BEGIN EXCLUSIVE')
        .then(() => true)
        .catch(() => false),
    );
    leave();
    await expect(response).rejects.toThrow();
    await waitFor('it is counted', async () => gateway.gateway.relay.abandoned() === 1);
    expect(await gateway.gateway.metrics.text()).toMatch(/^tollgate_relay_abandoned 1$/m);
    await other.exec('COMMIT');
    await other.close();
    await waitFor('it ends', async () => gateway.gateway.relay.inFlight() === 0);
    expect(gateway.gateway.relay.abandoned()).toBe(0);
  });
});

describe('a server that is told to stop', () => {
  it('R7 responds to calls that wait between two attempts or for an upstream, and starts no attempt', async () => {
    await gateway.setOption('UserConcurrencyLimit', '0');
    says = states['between two attempts'] ?? '';
    const waiting = await begin();
    says = '';
    const silent = await begin();
    await moment();
    const asked = upstream.received.length;
    await gateway.gateway.relay.drain(0);
    expect(gateway.gateway.relay.inFlight()).toBe(0);
    for (const { response } of [waiting, silent]) {
      const reply = await response;
      expect(reply.status).toBe(503);
      expect(reply.headers.get('retry-after')).toBe('1');
      expect(await reply.json()).toMatchObject({ error: { code: 'server_draining' } });
    }
    expect(upstream.received.length).toBe(asked);
    expect(await openHolds(gateway)).toBe(0);
    await gateway.verifyBooks();
  });
});
