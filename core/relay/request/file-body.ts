import { Readable } from 'node:stream';
import { AppError } from '../../errors/app-error.ts';
import type { UpstreamRequest } from '../../providers/adapter.ts';
import type { BodySource, RelayBody } from '../call.ts';

/** A file of the client's form as the whole body of a request, piece by piece from where it lies. */
export function fileBody(
  { file }: Pick<RelayBody, 'file'>,
  { field, member }: NonNullable<UpstreamRequest['file']>,
): BodySource {
  const found = file?.(field);
  if (!found) throw new AppError('request.fieldMissing', { field }, { param: field });
  const { length, open } = found;
  if (member === undefined) return { length, contentType: 'application/octet-stream', open };
  const [head, tail] = [`{${JSON.stringify(member)}:"`, '"}'].map((text) => Buffer.from(text)) as [Buffer, Buffer];
  return {
    length: head.length + Math.ceil(length / 3) * 4 + tail.length,
    contentType: 'application/json',
    open: () => Readable.from(base64Of(open(), head, tail), { objectMode: false }),
  };
}

async function* base64Of(source: Buffer | Readable, head: Buffer, tail: Buffer): AsyncGenerator<Buffer> {
  yield head;
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of Buffer.isBuffer(source) ? [source] : (source as AsyncIterable<Buffer>)) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    // Three bytes are four characters.
    const whole = bytes.length - (bytes.length % 3);
    yield Buffer.from(bytes.subarray(0, whole).toString('base64'));
    rest = bytes.subarray(whole);
  }
  yield Buffer.from(rest.toString('base64'));
  yield tail;
}
