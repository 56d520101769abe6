import { once } from 'node:events';
import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { createOutbound, type Outbound } from '../../../../core/integrations/outbound/outbound.ts';
import type { OutboundRequest } from '../../../../core/integrations/outbound/outbound-request.ts';
import type { UpstreamResponse } from '../../../../core/integrations/outbound/upstream-client.ts';
import { httpResponse, type RawServer, startRawServer } from './raw-server.ts';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

function openOutbound(): Outbound {
  const outbound = createOutbound({ rules: { upstreamPrivate: [], closedEndpoints: [] } });
  closers.push(outbound.close);
  return outbound;
}

async function start(...options: Parameters<typeof startRawServer>): Promise<RawServer> {
  const server = await startRawServer(...options);
  closers.push(server.close);
  return server;
}

function post(url: string, change: Partial<OutboundRequest> = {}): OutboundRequest {
  return {
    url,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: Buffer.from('{}'),
    limits: { headersMs: 5_000, idleMs: 5_000 },
    privateAllowed: true,
    ...change,
  };
}

/** Collects the calls of a sink; `over` resolves with the failure, or undefined for a proper end. */
function listen(response: UpstreamResponse) {
  const chunks: Buffer[] = [];
  const over = new Promise<unknown>((resolve) => {
    response.consume({ data: (chunk) => chunks.push(chunk), end: () => resolve(undefined), error: resolve });
  });
  return {
    over,
    text: () => Buffer.concat(chunks).toString(),
    bytes: () => chunks.reduce((sum, c) => sum + c.length, 0),
  };
}

const chunked = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n';
const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;

describe('upstream call', () => {
  it('sends method, path, headers and body, and returns status, headers and body', async () => {
    const server = await start((socket) => socket.write(httpResponse('{"ok":1}', 'x-request-id: r1\r\n')));
    const headers = {
      'content-type': 'application/json',
      authorization: 'Bearer k',
      connection: 'close',
      host: 'other',
    };
    const response = await openOutbound().upstream.send(post(`${server.url}/v1/chat?a=b#part`, { headers }));
    expect(response.status).toBe(200);
    expect(response.headers['x-request-id']).toBe('r1');
    expect((await response.readAll()).toString()).toBe('{"ok":1}');
    const [sent = ''] = server.received;
    expect(sent).toMatch(/^POST \/v1\/chat\?a=b HTTP\/1\.1\r\n/);
    expect(sent.toLowerCase()).toContain(`host: 127.0.0.1:${server.port}`);
    expect(sent.toLowerCase()).toContain('authorization: bearer k');
    expect(sent.toLowerCase()).toContain('accept-encoding: identity');
    expect(sent.toLowerCase()).toContain('connection: keep-alive');
    expect(sent).toMatch(/\r\n\r\n\{\}$/);
  });

  it('uses the same connection again', async () => {
    const server = await start((socket) => socket.write(httpResponse('{}')));
    const { upstream } = openOutbound();
    for (let turn = 0; turn < 5; turn++) {
      await (await upstream.send(post(server.url))).readAll();
      await wait(10); // a connection rests for a moment before it serves again
    }
    expect(server.received).toHaveLength(5);
    expect(server.sockets).toHaveLength(1);
  });

  it('sends a body that is a stream', async () => {
    const server = await start((socket) => socket.write(httpResponse('{}')));
    const body = Readable.from([Buffer.from('one '), Buffer.from('two')]);
    const headers = { 'content-length': '7' };
    await (await openOutbound().upstream.send(post(server.url, { body, headers }))).readAll();
    expect(server.received[0]).toMatch(/content-length: 7\r\n\r\none two$/);
  });

  it('returns a redirect as it is', async () => {
    const server = await start((socket) => {
      socket.write('HTTP/1.1 302 Found\r\nlocation: http://169.254.169.254/\r\ncontent-length: 0\r\n\r\n');
    });
    const response = await openOutbound().upstream.send(post(server.url));
    expect(response.status).toBe(302);
    await response.readAll();
    expect(server.received).toHaveLength(1);
  });

  it('keeps what arrives before it is read', async () => {
    const server = await start((socket) => socket.write(httpResponse('x'.repeat(300_000))));
    const response = await openOutbound().upstream.send(post(server.url));
    await wait(200);
    expect((await response.readAll()).length).toBe(300_000);
  });

  it('refuses a response that is longer than the limit and closes the connection', async () => {
    const server = await start((socket) => socket.write(httpResponse('x'.repeat(300_000))));
    const response = await openOutbound().upstream.send(post(server.url));
    await expect(response.readAll(100_000)).rejects.toMatchObject({ kind: 'tooLarge' });
    await expect.poll(() => server.openCount()).toBe(0);
  });

  it('rejects a reading that is under way, or begun later, when the call is given up', async () => {
    const half = 'HTTP/1.1 500 Oh\r\ncontent-length: 1000\r\n\r\nhalf';
    const server = await start((socket) => socket.write(half));
    const { upstream } = openOutbound();
    const response = await upstream.send(post(server.url));
    const reading = response.readAll();
    response.abort(new Error('the client left'));
    await expect(reading).rejects.toMatchObject({ kind: 'aborted', cause: new Error('the client left') });
    await expect(response.readAll()).rejects.toMatchObject({ kind: 'aborted' });
    await expect.poll(() => server.openCount()).toBe(0);
  });

  it('fails on a header that could split the request, without sending anything', async () => {
    const server = await start((socket) => socket.write(httpResponse('{}')));
    const sent = openOutbound().upstream.send(post(server.url, { headers: { authorization: 'a\r\nx: y' } }));
    await expect(sent).rejects.toMatchObject({ kind: 'invalidRequest', sentNothing: true });
    expect(server.received).toHaveLength(0);
  });
});

describe('time limit', () => {
  it('for the headers ends a call that never gets a response', async () => {
    const server = await start(() => {});
    const sent = openOutbound().upstream.send(post(server.url, { limits: { headersMs: 300, idleMs: 5_000 } }));
    await expect(sent).rejects.toMatchObject({ kind: 'headersTimeout', sentNothing: false });
    await expect.poll(() => server.openCount()).toBe(0);
  });

  it('for silence ends a stream that stalls, after what it had sent', async () => {
    const server = await start((socket) => socket.write(chunked + chunk('data: 1\n\n')));
    const response = await openOutbound().upstream.send(
      post(server.url, { limits: { headersMs: 5_000, idleMs: 300 } }),
    );
    const sink = listen(response);
    expect(await sink.over).toMatchObject({ kind: 'idleTimeout' });
    expect(sink.text()).toBe('data: 1\n\n');
  });

  it('for silence lets a slow stream run', async () => {
    const server = await start(async (socket) => {
      socket.write(chunked);
      for (let turn = 0; turn < 8; turn++) {
        await wait(400);
        socket.write(chunk('x'));
      }
      socket.write('0\r\n\r\n');
    });
    const response = await openOutbound().upstream.send(
      post(server.url, { limits: { headersMs: 5_000, idleMs: 1_200 } }),
    );
    const sink = listen(response);
    expect(await sink.over).toBeUndefined();
    expect(sink.text()).toBe('xxxxxxxx');
  });

  it('for silence does not count the time in which our reader was slow', async () => {
    const body = 'x'.repeat(2_000_000);
    const server = await start((socket) => socket.write(httpResponse(body)));
    const response = await openOutbound().upstream.send(
      post(server.url, { limits: { headersMs: 5_000, idleMs: 500 } }),
    );
    let received = 0;
    const over = new Promise<unknown>((resolve) => {
      response.consume({
        data: (part) => {
          received += part.length;
        },
        end: () => resolve(undefined),
        error: resolve,
      });
    });
    response.pause();
    await wait(50);
    const before = received;
    await wait(2_500);
    expect(received).toBe(before);
    response.resume();
    expect(await over).toBeUndefined();
    expect(received).toBe(body.length);
  });

  it('for the whole call ends a stream that goes on and on', async () => {
    const server = await start(async (socket) => {
      socket.write(chunked);
      while (!socket.destroyed) {
        socket.write(chunk('x'));
        await wait(50);
      }
    });
    const limits = { headersMs: 5_000, idleMs: 5_000, totalMs: 400 };
    const response = await openOutbound().upstream.send(post(server.url, { limits }));
    expect(await listen(response).over).toMatchObject({ kind: 'totalTimeout' });
    await expect.poll(() => server.openCount()).toBe(0);
  });
});

describe('broken response', () => {
  it.each([
    ['shorter than announced', 'HTTP/1.1 200 OK\r\ncontent-length: 50\r\n\r\nshort', 'reset'],
    ['with garbage for a chunk size', `${chunked}zz\r\nabc`, 'badResponse'],
    ['cut inside a chunk', `${chunked}10\r\nabc`, 'reset'],
    [
      'cut inside a chunk of a connection that was to close',
      `HTTP/1.1 200 OK\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n10\r\nabc`,
      'reset',
    ],
    ['cut between chunks', `${chunked}${chunk('abc')}`, 'reset'],
    ['gzip that is cut', null, 'badResponse'],
  ])('%s ends visibly after its headers', async (name, bytes, kind) => {
    const gzip = gzipSync('y'.repeat(2_000)).subarray(0, 20);
    const server = await start((socket) => {
      if (bytes === null) {
        socket.write(`HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${gzip.length}\r\n\r\n`);
        socket.write(gzip);
      } else {
        socket.end(bytes, 'latin1');
      }
    });
    const response = await openOutbound().upstream.send(post(server.url));
    expect(await listen(response).over, name).toMatchObject({ kind });
  });

  it.each([
    ['HTML without HTTP', '<html></html>\r\n\r\n', 'badResponse'],
    ['status 0', 'HTTP/1.1 000 X\r\ncontent-length: 0\r\n\r\n', 'badResponse'],
    ['status 99', 'HTTP/1.1 099 X\r\ncontent-length: 0\r\n\r\n', 'badResponse'],
    ['status 600', 'HTTP/1.1 600 X\r\ncontent-length: 0\r\n\r\n', 'badResponse'],
    ['status 999', 'HTTP/1.1 999 X\r\ncontent-length: 0\r\n\r\n', 'badResponse'],
    ['204 with a length', 'HTTP/1.1 204 X\r\ncontent-length: 5\r\n\r\nhello', 'badResponse'],
    ['204 with chunks', `HTTP/1.1 204 X\r\ntransfer-encoding: chunked\r\n\r\n${chunk('x')}0\r\n\r\n`, 'badResponse'],
    ['an unasked upgrade', 'HTTP/1.1 101 X\r\nupgrade: h2c\r\nconnection: upgrade\r\n\r\n', 'badResponse'],
    ['100 KiB of headers', `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(102_400)}\r\ncontent-length: 0\r\n\r\n`, 'badResponse'],
    ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab', 'badResponse'],
    ['two encodings', 'HTTP/1.1 200 OK\r\ncontent-encoding: gzip, gzip\r\ncontent-length: 1\r\n\r\na', 'badResponse'],
    [
      'fifty encodings',
      `HTTP/1.1 200 OK\r\n${'content-encoding: gzip\r\n'.repeat(50)}content-length: 1\r\n\r\na`,
      'badResponse',
    ],
    ['an unknown encoding', 'HTTP/1.1 200 OK\r\ncontent-encoding: lzma\r\ncontent-length: 1\r\n\r\na', 'badResponse'],
    ['a flood of 1xx', `${'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(500)}${httpResponse('{}')}`, 'badResponse'],
  ])('%s is a bad response, not a crash', async (_name, bytes, kind) => {
    const server = await start((socket) => socket.write(bytes, 'latin1'));
    const sent = openOutbound().upstream.send(post(server.url));
    await expect(sent).rejects.toMatchObject({ kind, sentNothing: false });
    await expect.poll(() => server.openCount()).toBe(0);
  });

  it('drips 1xx no longer than the header limit', async () => {
    const server = await start(async (socket) => {
      while (!socket.destroyed) {
        socket.write('HTTP/1.1 103 Early Hints\r\n\r\n');
        await wait(200);
      }
    });
    const limits = { headersMs: 700, idleMs: 5_000 };
    const sent = openOutbound().upstream.send(post(server.url, { limits }));
    await expect(sent).rejects.toMatchObject({ kind: 'headersTimeout' });
  });

  it('takes a few early hints', async () => {
    const server = await start((socket) => socket.write(`HTTP/1.1 103 Early Hints\r\n\r\n${httpResponse('{}')}`));
    expect((await openOutbound().upstream.send(post(server.url))).status).toBe(200);
  });

  it('does not mix bytes after the end into the next response', async () => {
    const server = await start((socket, index) =>
      socket.write(`${httpResponse(`"${index}"`)}HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nevil`),
    );
    const { upstream } = openOutbound();
    for (let turn = 0; turn < 3; turn++) {
      expect((await (await upstream.send(post(server.url))).readAll()).toString()).toBe(`"${turn}"`);
    }
  });

  it('ends visibly wherever the connection is reset', async () => {
    const whole = `${chunked}${chunk('data: 1\n\n')}${chunk('data: [DONE]\n\n')}0\r\n\r\n`;
    const { upstream } = openOutbound();
    for (let cut = 1; cut < whole.length; cut += 5) {
      const server = await start((socket) => {
        socket.write(whole.slice(0, cut), 'latin1', () => setImmediate(() => socket.resetAndDestroy()));
      });
      const failure = await upstream.send(post(server.url)).then(
        (response) => listen(response).over,
        (error: unknown) => error,
      );
      expect(failure, `cut at ${cut}`).toMatchObject({ kind: 'reset', sentNothing: false });
    }
  });
});

describe('content encoding', () => {
  const text = 'data: {"a":"é"}\n\n'.repeat(5_000);
  it.each([
    ['gzip', gzipSync(text)],
    ['x-gzip', gzipSync(text)],
    ['br', brotliCompressSync(text)],
    ['deflate', deflateSync(text)],
    ['deflate', deflateRawSync(text)],
    ['identity', Buffer.from(text)],
    ['Identity, GZIP', gzipSync(text)],
  ])('%s that was not requested is decoded', async (encoding, bytes) => {
    const server = await start((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-encoding: ${encoding}\r\ncontent-length: ${bytes.length}\r\n\r\n`);
      socket.write(bytes);
    });
    const response = await openOutbound().upstream.send(post(server.url));
    expect((await response.readAll()).toString()).toBe(text);
  });

  it('counts the decoded size, so a small bomb is too large', async () => {
    const bytes = gzipSync(Buffer.alloc(20_000_000));
    const server = await start((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${bytes.length}\r\n\r\n`);
      socket.write(bytes);
    });
    const response = await openOutbound().upstream.send(post(server.url));
    await expect(response.readAll(1_000_000)).rejects.toMatchObject({ kind: 'tooLarge' });
  });

  it('waits for a paused reader', async () => {
    const bytes = gzipSync(Buffer.alloc(5_000_000, 'abc'));
    const server = await start((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${bytes.length}\r\n\r\n`);
      socket.write(bytes);
    });
    const response = await openOutbound().upstream.send(post(server.url));
    response.pause();
    const sink = listen(response);
    await wait(200);
    expect(sink.bytes()).toBe(0);
    response.resume();
    expect(await sink.over).toBeUndefined();
    expect(sink.bytes()).toBe(5_000_000);
  });
});

describe('backpressure', () => {
  it.each([
    ['is paused', true],
    ['has not begun', false],
  ])('stops reading from the upstream while the reader %s', async (_name, isPaused) => {
    let sent = 0;
    const block = Buffer.alloc(65_536, 'x');
    const server = await start(async (socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      while (!socket.destroyed && sent < 200_000_000) {
        sent += block.length;
        if (!socket.write(block)) await Promise.race([once(socket, 'drain'), once(socket, 'close')]);
      }
    });
    const response = await openOutbound().upstream.send(post(server.url));
    if (isPaused) {
      response.pause();
      listen(response);
    }
    await wait(500);
    const stalledAt = sent;
    expect(stalledAt).toBeLessThan(20_000_000); // what the kernel's socket buffers take
    await wait(300);
    expect(sent).toBe(stalledAt);
    response.abort();
  });

  it('delivers every byte in order through pauses at every chunk', async () => {
    const parts = Array.from({ length: 400 }, (_, index) => `${index},`.repeat(50));
    const server = await start((socket) => socket.write(`${chunked}${parts.map(chunk).join('')}0\r\n\r\n`));
    const response = await openOutbound().upstream.send(post(server.url));
    let text = '';
    const over = new Promise<unknown>((resolve) => {
      response.consume({
        data: (part) => {
          expect(paused).toBe(false);
          text += part.toString();
          paused = true;
          response.pause();
          setImmediate(() => {
            paused = false;
            response.resume();
          });
        },
        end: () => resolve(undefined),
        error: resolve,
      });
    });
    expect(await over).toBeUndefined();
    expect(text).toBe(parts.join(''));
  });
  let paused = false;
});

describe('abort', () => {
  it('before the headers rejects the call and closes the connection at once', async () => {
    const server = await start(() => {});
    const stop = new AbortController();
    const sent = openOutbound().upstream.send(post(server.url), stop.signal);
    await expect.poll(() => server.received.length).toBe(1);
    stop.abort();
    await expect(sent).rejects.toMatchObject({ kind: 'aborted' });
    await expect.poll(() => server.openCount()).toBe(0);
  });

  it('in the middle of a stream closes the connection, whether by signal or by the reader', async () => {
    const server = await start((socket) => socket.write(chunked + chunk('data: 1\n\n')));
    const { upstream } = openOutbound();
    const stop = new AbortController();
    const bySignal = listen(await upstream.send(post(server.url), stop.signal));
    const byReader = await upstream.send(post(server.url));
    let told = false;
    byReader.consume({
      data: () => {},
      end: () => {
        told = true;
      },
      error: () => {
        told = true;
      },
    });
    await expect.poll(() => bySignal.text()).toBe('data: 1\n\n');
    stop.abort();
    byReader.abort();
    expect(await bySignal.over).toMatchObject({ kind: 'aborted' });
    await expect.poll(() => server.openCount()).toBe(0);
    expect(told).toBe(false);
  });

  it('before the connection stands sends nothing later', async () => {
    const server = await start((socket) => socket.write(httpResponse('{}')));
    const stop = new AbortController();
    const sent = openOutbound().upstream.send(post(server.url), stop.signal);
    stop.abort();
    await expect(sent).rejects.toMatchObject({ kind: 'aborted' });
    await wait(200);
    expect(server.received).toHaveLength(0);
    expect(server.openCount()).toBe(0);
  });

  it('with a signal that fired already does nothing', async () => {
    const sent = openOutbound().upstream.send(post('http://127.0.0.1:9'), AbortSignal.abort());
    await expect(sent).rejects.toMatchObject({ kind: 'aborted', sentNothing: true });
  });

  it('at random moments leaves no connection open that is not idle', async () => {
    const server = await start(async (socket) => {
      socket.write(chunked);
      for (let turn = 0; turn < 20 && !socket.destroyed; turn++) {
        socket.write(chunk('x'));
        await wait(5);
      }
      // Left open on purpose: only an abort ends it.
    });
    const { upstream } = openOutbound();
    await Promise.all(
      Array.from({ length: 200 }, async () => {
        const stop = new AbortController();
        setTimeout(() => stop.abort(), Math.random() * 100);
        try {
          await listen(await upstream.send(post(server.url), stop.signal)).over;
        } catch (error) {
          expect(error).toMatchObject({ kind: 'aborted' });
        }
      }),
    );
    await expect.poll(() => server.openCount()).toBe(0);
  });
});

describe('kept-alive connection', () => {
  it('that the upstream closes as we send may be repeated, and works the second time', async () => {
    // The first call gets a response; the second meets a server that has closed without reading it.
    const server = await start((socket, index) => {
      if (index === 1) socket.resetAndDestroy();
      else socket.write(httpResponse('{}'));
    });
    const { upstream } = openOutbound();
    await (await upstream.send(post(server.url))).readAll();
    await wait(50);
    const failing = upstream.start(post(server.url)).response;
    await expect(failing).rejects.toMatchObject({ kind: 'reset', sentNothing: true });
    expect((await upstream.send(post(server.url))).status).toBe(200);
  });

  it('is asked once more by itself where its caller only waits, and not a third time', async () => {
    const server = await start((socket, index) => {
      if (index === 1 || index === 4) socket.resetAndDestroy();
      else if (index === 3 || index === 5) socket.destroy();
      else socket.write(httpResponse('{}'));
    });
    const { upstream, fetchBytes } = openOutbound();
    await (await upstream.send(post(server.url))).readAll();
    await wait(50);
    expect((await upstream.send(post(server.url))).status).toBe(200);
    expect(server.received).toHaveLength(3);
    await wait(50);
    await expect(fetchBytes(server.url, { profile: 'operatorPrivate' })).rejects.toMatchObject({
      code: 'outbound.unreachable',
    });
    expect(server.received).toHaveLength(5);
  });

  it('is not repeated for a body that was a stream', async () => {
    const server = await start((socket, index) => (index === 1 ? socket.destroy() : socket.write(httpResponse('{}'))));
    const { upstream } = openOutbound();
    await (await upstream.send(post(server.url))).readAll();
    await wait(50);
    const body = Readable.from([Buffer.from('one')]);
    const sent = upstream.send(post(server.url, { body, headers: { 'content-length': '3' } }));
    await expect(sent).rejects.toMatchObject({ kind: 'reset', sentNothing: false });
  });

  it('is not repeated once a byte of the response came', async () => {
    const server = await start((socket, index) => {
      if (index === 1) socket.end('HTTP/1.1 200');
      else socket.write(httpResponse('{}'));
    });
    const { upstream } = openOutbound();
    await (await upstream.send(post(server.url))).readAll();
    await wait(50);
    await expect(upstream.send(post(server.url))).rejects.toMatchObject({ kind: 'reset', sentNothing: false });
  });

  it('a fresh connection that is closed under the call is not repeated', async () => {
    const server = await start((socket) => socket.resetAndDestroy());
    await expect(openOutbound().upstream.send(post(server.url))).rejects.toMatchObject({
      kind: 'reset',
      sentNothing: false,
    });
  });

  it('closed while idle is simply replaced', async () => {
    const server = await start((socket) => socket.end(httpResponse('{}')));
    const { upstream } = openOutbound();
    for (let turn = 0; turn < 3; turn++) {
      await (await upstream.send(post(server.url))).readAll();
      await wait(50);
    }
    expect(server.sockets).toHaveLength(3);
  });
});
