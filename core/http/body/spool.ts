import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { refuseBody } from './body-error.ts';

const writeBytes = 256 * 1024;
const readBytes = 64 * 1024;

/** Bytes of one body outside memory, written once from the beginning and read any number of times. */
export class SpoolFile {
  size = 0;
  readonly #handle: FileHandle;
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #isDisposed = false;

  constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  /** The promise, when there is one, must be awaited before the next call. */
  append(chunk: Buffer): Promise<void> | undefined {
    this.#waiting.push(chunk);
    this.#waitingBytes += chunk.length;
    return this.#waitingBytes < writeBytes ? undefined : this.flush();
  }

  async flush(): Promise<void> {
    const bytes = Buffer.concat(this.#waiting);
    this.#waiting = [];
    this.#waitingBytes = 0;
    try {
      for (let written = 0; written < bytes.length; ) {
        const result = await this.#handle.write(bytes, written, bytes.length - written, this.size + written);
        written += result.bytesWritten;
      }
    } catch (error) {
      refuseSpool(error);
    }
    this.size += bytes.length;
  }

  async *read(start: number, end: number): AsyncGenerator<Buffer> {
    for (let at = start; at < end; ) {
      const buffer = Buffer.allocUnsafe(Math.min(readBytes, end - at));
      const { bytesRead } = await this.#handle.read(buffer, 0, buffer.length, at).catch(refuseSpool);
      if (bytesRead === 0) refuseSpool(new Error('the temporary file is shorter than it was'));
      at += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  }

  async includes(texts: readonly string[]): Promise<boolean> {
    const maxLength = Math.max(0, ...texts.map((text) => Buffer.byteLength(text)));
    let overlap = Buffer.alloc(0);
    for await (const piece of this.read(0, this.size)) {
      // A text may lie across two pieces.
      const searched = Buffer.concat([overlap, piece]);
      if (texts.some((text) => searched.includes(text))) return true;
      overlap = searched.subarray(Math.max(0, searched.length - maxLength + 1));
    }
    return false;
  }

  async dispose(): Promise<void> {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    this.#waiting = [];
    await this.#handle.close();
  }
}

/** The name is removed as soon as the file is open: whatever happens to the process, nothing stays behind. */
export async function createSpoolFile(directory: string): Promise<SpoolFile> {
  const path = join(directory, `body-${randomUUID()}`);
  const handle = await open(path, 'wx+', 0o600).catch(refuseSpool);
  await unlink(path).catch(async (error) => {
    await handle.close();
    refuseSpool(error);
  });
  return new SpoolFile(handle);
}

function refuseSpool(cause: unknown): never {
  return refuseBody('body.spoolFailed', {}, { cause, retryAfterSeconds: 5 });
}
