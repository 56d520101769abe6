import { readdir } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import type { FormEdit } from '../../../../core/http/body/form-source.ts';
import { type MultipartBody, readMultipartBody } from '../../../../core/http/body/multipart-body.ts';
import { bodyServer, readAll } from './body-server.ts';

const mebibyte = 1 << 20;
const server = bodyServer();

function reading<Result>(
  look: (form: MultipartBody) => Result | Promise<Result>,
  { bytes = 64 * mebibyte, timeMs = 30_000 } = {},
) {
  server.state.handler = async (request, spoolDirectory) => {
    const form = await readMultipartBody(request, { bytes, timeMs, spoolDirectory });
    try {
      return await look(form);
    } finally {
      await form.dispose();
      await form.dispose();
    }
  };
}

const everything = async (form: MultipartBody) => ({
  fields: Object.fromEntries(form.fields),
  files: form.files.map(({ name, filename, contentType, size }) => ({ name, filename, contentType, size })),
});

async function send(form: FormData): Promise<Awaited<ReturnType<typeof server.post>>> {
  const encoded = new Response(form);
  const bytes = Buffer.from(await encoded.arrayBuffer());
  return server.post(bytes, { 'content-type': encoded.headers.get('content-type') ?? '' });
}

function formOf(...parts: [name: string, value: string | Blob, filename?: string][]): FormData {
  const form = new FormData();
  for (const [name, value, filename] of parts) {
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, value, filename);
  }
  return form;
}

const sound = (size: number) => new Blob([Buffer.alloc(size, 'sound')], { type: 'audio/mpeg' });
const codeOf = async (form: FormData) => {
  const response = await send(form);
  return `${response.status} ${response.body.code ?? 'read'}`;
};
const part = (head: string, content: string) => `--b\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n`;
const rawCodeOf = async (text: string, type = 'multipart/form-data; boundary=b') => {
  const response = await server.post(text, { 'content-type': type });
  return `${response.status} ${response.body.code ?? 'read'}`;
};

describe('readMultipartBody', () => {
  it('reads fields and files, small and large', async () => {
    reading(everything);
    for (const size of [0, 1000, 5 * mebibyte]) {
      const response = await send(
        formOf(
          ['file', sound(size), 'talk.mp3'],
          ['model', 'whisper-1'],
          ['timestamp_granularities[]', 'word'],
          ['timestamp_granularities[]', 'segment'],
        ),
      );
      expect(response.body).toEqual({
        fields: { model: ['whisper-1'], 'timestamp_granularities[]': ['word', 'segment'] },
        files: [{ name: 'file', filename: 'talk.mp3', contentType: 'audio/mpeg', size }],
      });
    }
  });

  it('reads a form with blanks behind its boundaries', async () => {
    reading(everything);
    const sound = part('name="file"; filename="a.mp3"', 'a sound\r\n-- b ');
    const text = `${part('name="model"', 'whisper-1')}${sound}--b--\r\n`;
    const padded = text.replaceAll('--b\r\n', '--b \t\r\n');
    for (const form of [text, padded, text.replace('--b\r\n', '--b\t\r\n'), padded.replace('--b--', '--b--  ')]) {
      const response = await server.post(form, { 'content-type': 'multipart/form-data; boundary="b"' });
      expect(response).toMatchObject({
        status: 200,
        body: { fields: { model: ['whisper-1'] }, files: [{ size: 14 }] },
      });
    }
  });

  it('rewrites the form with the model first, edits applied and the exact length', async () => {
    const edits: FormEdit[] = [
      { set: 'model', value: 'upstream "m\u00e9"' },
      { drop: 'user' },
      { set: 'stream', value: 'true' },
    ];
    reading(async (form) => {
      const source = form.source(edits);
      const first = await readAll(source.open());
      const again = await readAll(source.open());
      const sent = await new Response(first, { headers: { 'content-type': source.contentType } }).formData();
      return {
        isExact: source.length === first.length && first.equals(again),
        entries: [...sent].map(([name, value]) =>
          typeof value === 'string' ? [name, value] : [name, value.name, value.type, value.size],
        ),
      };
    });
    const response = await send(
      formOf(
        ['image[]', sound(600_000), 'a "b".png'],
        ['user', 'u'],
        ['prompt', 'a\r\nb'],
        ['image[]', sound(10), 'c.png'],
        ['model', 'dall-e-2'],
      ),
    );
    expect(response.body).toEqual({
      isExact: true,
      entries: [
        ['model', 'upstream "m\u00e9"'],
        ['prompt', 'a\r\nb'],
        ['stream', 'true'],
        ['image[]', 'a "b".png', 'audio/mpeg', 600_000],
        ['image[]', 'c.png', 'audio/mpeg', 10],
      ],
    });
  });

  it('keeps file content unchanged and readable again, and leaves no files behind', async () => {
    reading(async (form) => {
      const contents = [];
      for (const file of [...form.files, ...form.files])
        contents.push((await readAll(file.open())).equals(Buffer.alloc(file.size, 'sound')));
      return { contents, left: await readdir(server.state.spoolDirectory) };
    });
    const response = await send(
      formOf(
        ['image', sound(100), 'a.png'],
        ['image', sound(3 * mebibyte), 'b.png'],
        ['mask', sound(300_000), 'm.png'],
      ),
    );
    expect(response.body).toEqual({ contents: Array(6).fill(true), left: [] });
  });

  it('cleans file names and types, so that neither can be used as more than a label', async () => {
    reading(everything);
    const nameOf = async (head: string) => {
      const response = await server.post(`${part(`name="file"; ${head}`, 'x')}--b--`, {
        'content-type': 'multipart/form-data; boundary=b',
      });
      return response.body.files?.[0];
    };
    expect(await nameOf('filename="../../etc/passwd"')).toMatchObject({ filename: 'passwd' });
    expect(await nameOf('filename="C:\\x\\talk.wav"')).toMatchObject({ filename: 'talk.wav' });
    expect(await nameOf('filename="a\u0000\u0007\u202eb.mp3"')).toMatchObject({ filename: 'ab.mp3' });
    expect(await nameOf('filename=".."')).toMatchObject({ filename: 'file' });
    expect(await nameOf('filename=""')).toMatchObject({ filename: 'file' });
    expect(await nameOf(`filename="${'x'.repeat(500)}.mp3"`)).toMatchObject({ filename: `${'x'.repeat(196)}.mp3` });
    expect(await nameOf('filename="a"\r\nContent-Type: text/html<b>')).toMatchObject({
      contentType: 'application/octet-stream',
    });
  });

  it('refuses forms without a boundary, other types and empty ones', async () => {
    reading(everything);
    expect(await rawCodeOf('x', 'multipart/form-data')).toBe('400 body.multipart');
    expect(await rawCodeOf('{}', 'application/json')).toBe('415 body.contentType');
    expect(await rawCodeOf('')).toBe('400 body.empty');
    expect(await rawCodeOf('--b--\r\n')).toBe('400 body.multipart');
    expect(await rawCodeOf('no parts at all')).toBe('400 body.multipart');
  });

  it('refuses forms that are cut or broken', async () => {
    reading(everything);
    expect(await rawCodeOf(part('name="model"', 'm'))).toBe('400 body.multipart');
    expect(await rawCodeOf(part('name="file"; filename="a"', 'x'.repeat(2 * mebibyte)))).toBe('400 body.multipart');
    expect(await rawCodeOf('--b\r\nContent-Disposition: form-data; name="model"')).toBe('400 body.multipart');
  });

  it('refuses names that are none, or not allowed, and files where none belong', async () => {
    reading(everything);
    for (const name of ['__proto__', 'constructor', 'Model', 'a b', 'x'.repeat(101), '']) {
      expect(await codeOf(formOf([name, 'x'])), name).toBe('400 body.multipart');
    }
    expect(await rawCodeOf(`${part('x="y"', 'z')}--b--`)).toBe('400 body.multipart');
    expect(await codeOf(formOf(['model', sound(10), 'm']))).toBe('400 body.multipart');
    expect(await codeOf(formOf(['file', '{"not":"a file"}']))).toBe('400 body.multipart');
  });

  it('refuses a second value for what is billed', async () => {
    reading(everything);
    expect(await codeOf(formOf(['model', 'cheap'], ['model', 'dear']))).toBe('400 body.duplicateKey');
    expect(await codeOf(formOf(['file', sound(1), 'a'], ['file', sound(2), 'b']))).toBe('400 body.duplicateKey');
    for (const name of ['model[]', 'n[]', 'n[0]', 'prompt[]', 'size[x]', 'stream[]'])
      expect(await codeOf(formOf(['model', 'cheap'], [name, '5'])), name).toBe('400 body.multipart');
    const { body } = await send(formOf(['n[]', '5']));
    expect(body.text).toContain('"n[]" has brackets: send "n"');
    expect(await codeOf(formOf(['chunking_strategy[type]', 'server_vad'], ['include[]', 'logprobs']))).toBe('200 read');
  });

  it('bounds fields, files, parts and sizes', async () => {
    reading(everything);
    const fields = (count: number) =>
      formOf(...Array.from({ length: count }, (_, i): [string, string] => [`f${i}`, 'x']));
    const files = (count: number) =>
      formOf(...Array.from({ length: count }, (): [string, Blob, string] => ['image[]', sound(1), 'x']));
    expect(await codeOf(fields(20))).toBe('200 read');
    expect(await codeOf(fields(21))).toBe('400 body.multipart');
    expect(await codeOf(files(16))).toBe('200 read');
    expect(await codeOf(files(17))).toBe('400 body.multipart');
    expect(await codeOf(fields(10_000))).toBe('400 body.multipart');
    expect(await codeOf(formOf(['prompt', 'x'.repeat(300_000)]))).toBe('400 body.valueTooLarge');
    reading(everything, { bytes: mebibyte });
    expect(await codeOf(formOf(['file', sound(2 * mebibyte), 'x']))).toBe('413 body.tooLarge');
  });

  it('returns 408 when the form stalls inside a file', async () => {
    reading(everything, { timeMs: 300 });
    const content = part('name="file"; filename="a"', 'x'.repeat(300_000));
    const response = await server.raw((socket) => {
      const head = `POST / HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 900000\r\n\r\n`;
      socket.write(head + content);
    });
    expect(response).toMatch(/^HTTP\/1\.1 408 /);
  });

  it('F62 returns 503 for large files only when the spool directory is gone', async () => {
    server.state.handler = async (request) =>
      everything(await readMultipartBody(request, { bytes: 64 * mebibyte, spoolDirectory: '/nonexistent/spool' }));
    expect(await codeOf(formOf(['file', sound(1000), 'a']))).toBe('200 read');
    expect(await codeOf(formOf(['file', sound(mebibyte), 'a']))).toBe('503 body.spoolFailed');
  });
});
