import { readdir, readlink } from 'node:fs/promises';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BodyEdit } from '../../../../core/canonical/body-edit.ts';
import { readJsonBody } from '../../../../core/http/body/json-body.ts';
import type { JsonBody } from '../../../../core/http/body/scanned-body.ts';
import { bodyServer, readAll } from './body-server.ts';

const mebibyte = 1 << 20;
const server = bodyServer();

/** Reads the posted body with the given limit, lets the test look at it, and disposes of it. */
function reading<Result>(
  look: (body: JsonBody) => Result | Promise<Result>,
  { bytes = 32 * mebibyte, timeMs = 30_000 } = {},
) {
  server.state.handler = async (request, spoolDirectory) => {
    const body = await readJsonBody(request, { bytes, timeMs, spoolDirectory });
    try {
      return await look(body);
    } finally {
      await body.dispose();
      await body.dispose();
    }
  };
}

const everything = async (body: JsonBody) => ({ size: body.size, json: await body.json() });
const codeOf = async (...[body, headers]: Parameters<typeof server.post>) => {
  const response = await server.post(body, headers);
  return `${response.status} ${response.body.code ?? 'read'}`;
};
const large = (more: Record<string, unknown> = {}) => ({
  ...more,
  filler: Array.from({ length: 40 }, () => 'word '.repeat(8000)),
});

async function openSpoolFiles(): Promise<number> {
  const descriptors = await readdir('/proc/self/fd').catch(() => []);
  const targets = await Promise.all(descriptors.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')));
  return targets.filter((target) => target.startsWith(server.state.spoolDirectory)).length;
}

describe('readJsonBody', () => {
  it('reads small and large bodies alike', async () => {
    reading(async (body) => ({
      ...(await everything(body)),
      model: body.value('model'),
      absent: body.value('absent') === undefined && !body.has('absent'),
      messages: body.count('messages'),
      notAnArray: body.count('model') === undefined,
      promptBytes: body.promptBytes,
    }));
    for (const body of [
      { model: 'm', messages: ['four', 'h\u00e9'] },
      large({ model: 'm', messages: ['four', 'h\u00e9'] }),
    ]) {
      const text = JSON.stringify(body);
      const response = await server.post(text);
      expect(response.body).toEqual({
        size: Buffer.byteLength(text),
        json: body,
        model: 'm',
        absent: true,
        messages: 2,
        notAnArray: true,
        promptBytes: 7,
      });
    }
  });

  it('reads one encoding of gzip, br and deflate', async () => {
    reading(everything);
    const text = JSON.stringify({ model: 'm', noise: Array.from({ length: 30_000 }, () => Math.random()) });
    expect((await server.post(gzipSync(text), { 'content-encoding': 'gzip' })).body.json).toEqual(JSON.parse(text));
    expect((await server.post(brotliCompressSync(text), { 'content-encoding': 'br' })).body.json.model).toBe('m');
    expect((await server.post(deflateSync(text), { 'content-encoding': 'deflate' })).body.json.model).toBe('m');
    expect((await server.post([gzipSync(text)], { 'content-encoding': 'GZIP' })).body.json.model).toBe('m');
    expect((await server.post([gzipSync(text)], { 'content-encoding': 'x-gzip' })).body.json?.model).toBe('m');
  });

  it('refuses encodings it does not know, and bytes that are not what they are said to be', async () => {
    reading(everything);
    const packed = gzipSync('{"model":"m"}');
    expect(await codeOf(packed, { 'content-encoding': 'gzip, gzip' })).toBe('415 body.encoding');
    expect(await codeOf(packed, { 'content-encoding': 'zstd' })).toBe('415 body.encoding');
    expect(await codeOf(packed, { 'content-encoding': 'deflate' })).toBe('400 body.decode');
    expect(await codeOf(packed.subarray(0, -6), { 'content-encoding': 'gzip' })).toBe('400 body.decode');
    expect(await codeOf('{"model":"m"}', { 'content-encoding': 'br' })).toBe('400 body.decode');
    expect(await codeOf(gzipSync(packed), { 'content-encoding': 'gzip' })).toBe('400 body.notJson');
  });

  it('stops at a compressed bomb, and at the limit counted decoded', async () => {
    reading(everything);
    const bomb = gzipSync(`{"a":"${'0'.repeat(30 * mebibyte)}"}`);
    expect(await codeOf(bomb, { 'content-encoding': 'gzip' })).toBe('413 body.ratio');
    reading(everything, { bytes: 50_000 });
    const packed = gzipSync(JSON.stringify({ a: 'word '.repeat(11_000) }));
    expect(await codeOf(packed, { 'content-encoding': 'gzip' })).toBe('413 body.tooLarge');
  });

  it('refuses more bytes than the limit, whether they are announced or not, and closes', async () => {
    reading(everything, { bytes: 2 * mebibyte });
    const over = Buffer.alloc(2 * mebibyte + 1, ' ');
    for (const body of [over, [over]]) {
      expect(await server.post(body)).toMatchObject({
        status: 413,
        connection: 'close',
        body: { code: 'body.tooLarge' },
      });
    }
  });

  it('refuses an empty body, another content type and what is not an object', async () => {
    reading(everything);
    expect(await codeOf('')).toBe('400 body.empty');
    expect(await codeOf([])).toBe('400 body.empty');
    expect(await codeOf('', { 'content-type': 'text/plain' })).toBe('400 body.empty');
    for (const type of ['text/plain', 'application/jsonx', 'application/json\tx', 'multipart/form-data']) {
      expect(await codeOf('{}', { 'content-type': type }), type).toBe('415 body.contentType');
    }
    expect(await codeOf('{}', { 'content-type': 'Application/JSON; charset=utf-8' })).toBe('200 read');
    for (const text of ['[]', 'null', '"x"', '{"a":}', '{"a":1} trailing', '{"a":"\u0001"}']) {
      expect(await codeOf(text), text).toBe('400 body.notJson');
    }
    const response = await server.post('{"a":1 "b":2}');
    expect(response.body.text).toBe('The request body is not a valid JSON object: unexpected character at byte 7.');
  });

  it('refuses large bodies for the same reasons as small ones', async () => {
    reading(everything);
    const text = JSON.stringify(large({ model: 'm' }));
    const cut = text.slice(0, -1);
    expect(await codeOf(cut)).toBe('400 body.notJson');
    expect(await codeOf(`${text}]`)).toBe('400 body.notJson');
    expect(await codeOf(`${cut},"model":"n"}`)).toBe('400 body.duplicateKey');
    expect(await codeOf(Buffer.concat([Buffer.from(`${cut},"x":"`), Buffer.from([0xff]), Buffer.from('"}')]))).toBe(
      '400 body.notJson',
    );
    expect(await codeOf(`${cut},"messages":[${'0,'.repeat(10_000)}0]}`)).toBe('400 body.tooMany');
    expect(await openSpoolFiles()).toBe(0);
  });

  it('bills what is sent: a billed key occurs once, and is not disguised', async () => {
    reading(everything);
    expect(await codeOf('{"model":"cheap","mo\\u0064el":"dear"}')).toBe('400 body.duplicateKey');
    expect(await codeOf('{"n":1,"stream":true,"n":10}')).toBe('400 body.duplicateKey');
    for (const key of ['Model', 'MAX_TOKENS', 'mes\u017fages', 'N', 'stream\\u005fOptions']) {
      expect(await codeOf(`{"${key}":1}`), key).toBe('400 body.forbiddenKey');
    }
    expect(await codeOf('{"__proto__":{"isAdmin":true}}')).toBe('400 body.forbiddenKey');
    expect(await codeOf('{"\\u005f_proto__":1}')).toBe('400 body.forbiddenKey');
    expect(await codeOf('{"constructor":{"prototype":{}}}')).toBe('400 body.forbiddenKey');
    expect(await codeOf('{"User":"kept","topK":3,"maxOutputTokens":5}')).toBe('200 read');
  });

  it('S17 bounds depth, messages and tools before anything is parsed', async () => {
    reading(everything);
    expect(await codeOf(`{"a":${'['.repeat(100_000)}`)).toBe('400 body.tooDeep');
    expect(await codeOf(`{"messages":[${'null,'.repeat(10_000)}null]}`)).toBe('400 body.tooMany');
    expect(await codeOf(`{"tools":[${'{},'.repeat(1000)}{}]}`)).toBe('400 body.tooMany');
    expect(await codeOf(`{"documents":[${'"",'.repeat(10_000)}""]}`)).toBe('400 body.tooMany');
    expect(await codeOf(`{"z":[${'{},'.repeat(1_000_000)}{}]}`)).toBe('400 body.tooMany');
    expect(await codeOf(JSON.stringify(Object.fromEntries(Array.from({ length: 1001 }, (_, i) => [i, i]))))).toBe(
      '400 body.tooMany',
    );
  });

  it('skips a byte order mark, and takes lone surrogates, NUL and line separators as JSON allows them', async () => {
    reading(async (body) => {
      const upstream = await readAll(body.source([{ set: 'model', raw: '"n"' }]).open());
      return JSON.parse(upstream.toString());
    });
    for (const more of ['', `,"filler":"${'x'.repeat(2 * mebibyte)}"`]) {
      const response = await server.post(`\ufeff{"model":"m","a":"\\ud800 \\u0000 \u2028"${more}}`);
      expect(response.body).toMatchObject({ model: 'n', a: '\ud800 \u0000 \u2028' });
    }
    expect(await codeOf(Buffer.from('\ufeff{"a":1}', 'utf16le'))).toBe('400 body.notJson');
  });

  it('refuses to give a value beyond 64 KiB, naming the key', async () => {
    reading((body) => body.value('model'));
    for (const body of [{ model: 'm'.repeat(70_000) }, large({ model: 'm'.repeat(70_000) })]) {
      expect(await codeOf(JSON.stringify(body))).toBe('400 body.valueTooLarge');
    }
  });

  it('applies edits and leaves every other byte as it came', async () => {
    const edits: BodyEdit[] = [
      { set: 'model', raw: '"up"' },
      { drop: 'user' },
      { set: 'stream_options', raw: '{"x":1}' },
    ];
    reading(async (body) => {
      const source = body.source(edits);
      const first = await readAll(source.open());
      const second = await readAll(source.open());
      const isExact = source.length === first.length && first.equals(second);
      const isSame = (await readAll(body.source([]).open())).length === body.size;
      return { isExact, isSame, text: first.toString() };
    });
    for (const filler of ['x', 'x'.repeat(3 * mebibyte)]) {
      const response = await server.post(` { "user" : "u",\n "model":"m" , "t":1.50e0, "f":"${filler}" }\n`);
      const text = ` {"model":"up" , "t":1.50e0, "f":"${filler}","stream_options":{"x":1} }\n`;
      expect(response.body).toEqual({ isExact: true, isSame: true, text });
    }
  });

  it('makes the object the edits describe, whatever is dropped', async () => {
    const keys = ['model', 'b', '\u00e9"', 'stream'];
    const edit = fc.constantFrom(...keys).chain((key) =>
      fc.oneof(
        fc.constant<BodyEdit>({ drop: key }),
        fc.jsonValue().map((value): BodyEdit => ({ set: key, raw: JSON.stringify(value) })),
      ),
    );
    const object = fc.dictionary(fc.constantFrom(...keys, 'other'), fc.jsonValue(), { noNullPrototype: true });
    let edits: BodyEdit[] = [];
    reading(async (body) => JSON.parse((await readAll(body.source(edits).open())).toString()));
    await fc.assert(
      fc.asyncProperty(
        object,
        fc.array(edit, { maxLength: 4 }),
        fc.constantFrom(undefined, 1),
        async (value, list, space) => {
          edits = list;
          const expected = JSON.parse(JSON.stringify(value)) as Record<string, unknown>;
          for (const change of new Map(list.map((item) => ['set' in item ? item.set : item.drop, item])).values()) {
            if ('set' in change) expected[change.set] = JSON.parse(change.raw);
            else delete expected[change.drop];
          }
          expect((await server.post(JSON.stringify(value, null, space))).body).toEqual(expected);
        },
      ),
      { numRuns: 150 },
    );
  });

  const head = (length: number) =>
    `POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;

  it('returns 408 and closes when fewer bytes come than were announced', async () => {
    reading(everything, { timeMs: 300 });
    const text = `${head(50)}{"a":1`.replace('Connection: close\r\n', '');
    const response = await server.raw((socket) => socket.write(text));
    expect(response).toMatch(/^HTTP\/1\.1 408 /);
    expect(response).toMatch(/connection: close/i);
    expect(response).toContain('body.timeout');
  });

  it('does not wait forever for a body that trickles in', async () => {
    reading(everything, { timeMs: 300 });
    let trickle: NodeJS.Timeout | undefined;
    const response = await server.raw((socket) => {
      socket.write(`${head(5000)}{`);
      trickle = setInterval(() => socket.write(' '), 50);
    });
    clearInterval(trickle);
    expect(response).toMatch(/^HTTP\/1\.1 408 /);
  });

  it('gives a client that keeps sending more time than one that sends nothing', async () => {
    reading(everything, { timeMs: 200 });
    const piece = ' '.repeat(64 * 1024);
    const response = await server.raw((socket) => {
      socket.write(head(piece.length + 7) + piece);
      setTimeout(() => socket.write('{"a":1}'), 500);
    });
    expect(response).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('notices when the connection ends in the middle, and keeps no file', async () => {
    reading(everything);
    for (const text of ['{"a":1', `{"a":"${'x'.repeat(2 * mebibyte)}`]) {
      server.state.failures.length = 0;
      await server.raw((socket) => socket.end(head(text.length + 10) + text));
      await expect.poll(() => server.state.failures.length).toBe(1);
      expect(server.state.failures[0]).toMatchObject({ code: 'body.incomplete' });
    }
    await expect.poll(openSpoolFiles).toBe(0);
  });

  it('leaves nothing in the spool directory, not even while a large body is held', async () => {
    reading(async (body) => {
      await readAll(body.source([]).open());
      return { files: await readdir(server.state.spoolDirectory), open: await openSpoolFiles() };
    });
    const response = await server.post(JSON.stringify(large()));
    expect(response.body.files).toEqual([]);
    if (process.platform === 'linux') expect(response.body.open).toBe(1);
    expect(await openSpoolFiles()).toBe(0);
  });

  it('F62 returns 503 for large bodies only when the spool directory is gone', async () => {
    server.state.handler = async (request) => {
      const body = await readJsonBody(request, { bytes: 32 * mebibyte, spoolDirectory: '/nonexistent/spool' });
      return { size: body.size };
    };
    expect(await codeOf('{"a":1}')).toBe('200 read');
    expect(await codeOf(JSON.stringify(large()))).toBe('503 body.spoolFailed');
  });

  it('does not hold up other work while a body with a large picture is read, parsed and sent on', async () => {
    reading(async (body) => {
      const source = body.source([{ set: 'model', raw: '"other"' }]);
      let sent = 0;
      for await (const piece of source.open() as AsyncIterable<Buffer>) sent += piece.length;
      const json = await body.json();
      return {
        sent: sent === source.length,
        media: body.mediaParts,
        promptBytes: body.promptBytes,
        keys: Object.keys(json),
      };
    });
    const picture = Buffer.alloc(18 * mebibyte, 'picture').toString('base64');
    const content = [{ type: 'image_url', image_url: { url: `data:image/png;base64,${picture}` } }];
    const bytes = Buffer.from(JSON.stringify({ model: 'm', messages: [{ role: 'user', content }] }));
    expect(bytes.length).toBeGreaterThan(24 * mebibyte);
    const turns = watchTurns();
    const response = await server.post(bytes);
    expect(response.body).toEqual({ sent: true, media: 1, promptBytes: 13, keys: ['model', 'messages'] });
    const { longestMs, totalMs } = turns();
    expect(longestMs).toBeLessThan(totalMs / 3);
  });
});

/** CPU time from here on, of the longest turn of the event loop and of all together: a slow machine makes both longer. */
function watchTurns(): () => { longestMs: number; totalMs: number } {
  const lengths: number[] = [];
  let before = process.cpuUsage();
  const turn = () => {
    const { user, system } = process.cpuUsage(before);
    lengths.push((user + system) / 1000);
    before = process.cpuUsage();
    next = setImmediate(turn);
  };
  let next = setImmediate(turn);
  return () => {
    clearImmediate(next);
    return { longestMs: Math.max(...lengths), totalMs: lengths.reduce((sum, length) => sum + length, 0) };
  };
}
