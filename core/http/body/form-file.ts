import type { Readable } from 'node:stream';
import { type BodySegment, joinSegments } from './body-source.ts';
import { createSpoolFile, type SpoolFile } from './spool.ts';

export interface FormFile {
  /** The form field: file, image, image[] or mask. */
  readonly name: string;
  /** Without folders and control characters; never to be used as a path. */
  readonly filename: string;
  readonly contentType: string;
  readonly size: number;
  open(): Buffer | Readable;
}

const memoryBytes = 256 * 1024;
const filenameLength = 200;

/** The content of one uploaded file: in memory up to 256 KiB, beyond that in a temporary file. */
export class FormFileContent implements FormFile {
  readonly name: string;
  readonly filename: string;
  readonly contentType: string;
  size = 0;
  readonly #directory: string;
  #chunks: Buffer[] = [];
  #spool: SpoolFile | undefined;

  constructor(
    { name, filename, contentType }: { name: string; filename: string; contentType: string },
    directory: string,
  ) {
    this.name = name;
    this.filename = cleanFilename(filename);
    this.contentType = cleanContentType(contentType);
    this.#directory = directory;
  }

  async receive(stream: Readable): Promise<void> {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      this.size += chunk.length;
      if (this.#spool) await this.#spool.append(chunk);
      else await this.#collect(chunk);
    }
    await this.#spool?.flush();
  }

  segment(): BodySegment {
    return this.#spool ? { file: this.#spool, start: 0, end: this.size } : Buffer.concat(this.#chunks);
  }

  open(): Buffer | Readable {
    return joinSegments([this.segment()]).open();
  }

  async dispose(): Promise<void> {
    await this.#spool?.dispose();
  }

  async #collect(chunk: Buffer): Promise<void> {
    this.#chunks.push(chunk);
    if (this.size <= memoryBytes) return;
    const chunks = this.#chunks;
    this.#chunks = [];
    this.#spool = await createSpoolFile(this.#directory);
    for (const earlier of chunks) await this.#spool.append(earlier);
  }
}

/** The end is what is kept of a long name: upstreams read the kind of a file from its extension. */
function cleanFilename(filename: string): string {
  const base = filename.slice(Math.max(filename.lastIndexOf('/'), filename.lastIndexOf('\\')) + 1);
  // Control characters, and the marks that show a name in another order than it has.
  const printable = base.replace(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '').slice(-filenameLength);
  return /^[. ]*$/.test(printable) ? 'file' : printable;
}

function cleanContentType(contentType: string): string {
  return /^[\w.+-]{1,60}\/[\w.+-]{1,60}$/.test(contentType) ? contentType : 'application/octet-stream';
}
