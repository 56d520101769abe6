import { randomBytes } from 'node:crypto';
import { type BodySegment, type ByteSource, joinSegments } from './body-source.ts';
import type { FormFileContent } from './form-file.ts';

export interface FormSource extends ByteSource {
  /** Content-Type with the boundary of these bytes. */
  readonly contentType: string;
}

/** A change of one field; files cannot be changed. */
export type FormEdit = { set: string; value: string } | { drop: string };

/** Some upstreams choose a model before they read on, so the model goes first and files last. */
export function writeForm(
  fields: ReadonlyMap<string, readonly string[]>,
  files: readonly FormFileContent[],
  edits: FormEdit[],
): FormSource {
  const edited = new Map<string, readonly string[]>(fields);
  for (const edit of edits) {
    if ('set' in edit) edited.set(edit.set, [edit.value]);
    else edited.delete(edit.drop);
  }
  // 128 random bits: the boundary cannot be foreseen, so no content can hold it.
  const boundary = `tollgate-${randomBytes(16).toString('hex')}`;
  const names = [...edited.keys()].sort((left, right) => Number(right === 'model') - Number(left === 'model'));
  const segments: BodySegment[] = names.flatMap((name) =>
    (edited.get(name) ?? []).map((value) => Buffer.from(`${head(boundary, name)}\r\n\r\n${value}\r\n`)),
  );
  for (const file of files) {
    const disposition = `${head(boundary, file.name)}; filename="${quote(file.filename)}"`;
    segments.push(Buffer.from(`${disposition}\r\nContent-Type: ${file.contentType}\r\n\r\n`));
    segments.push(file.segment(), Buffer.from('\r\n'));
  }
  segments.push(Buffer.from(`--${boundary}--\r\n`));
  const { length, open } = joinSegments(segments);
  return { length, open, contentType: `multipart/form-data; boundary=${boundary}` };
}

function head(boundary: string, name: string): string {
  return `--${boundary}\r\nContent-Disposition: form-data; name="${quote(name)}"`;
}

/** As browsers write names (HTML standard, multipart form data). */
function quote(text: string): string {
  return text.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
