const headEnd = '\r\n\r\n';

export interface ResponseSink {
  body(bytes: Buffer): void;
  end(status: number, keepsAlive: boolean): void;
  /** The bytes are not an HTTP response this reader understands. */
  broken(why: string): void;
}

/** Reads HTTP/1.1 responses off a socket with less work than a full client, so that the load never is the bottleneck. */
export class ResponseReader {
  private readonly sink: ResponseSink;
  private rest: Buffer = Buffer.alloc(0);
  private state: 'head' | 'length' | 'size' | 'data' | 'trailer' = 'head';
  /** Body bytes still to come: of the whole body, or of the current chunk with its line end. */
  private left = 0;
  private status = 0;
  private keepsAlive = true;

  constructor(sink: ResponseSink) {
    this.sink = sink;
  }

  feed(bytes: Buffer): void {
    let buffer = this.rest.length > 0 ? Buffer.concat([this.rest, bytes]) : bytes;
    while (buffer.length > 0) {
      const used = this.step(buffer);
      if (used === 0) break;
      buffer = buffer.subarray(used);
    }
    this.rest = buffer;
  }

  /** Bytes used; 0 when more are needed. */
  private step(buffer: Buffer): number {
    switch (this.state) {
      case 'head':
        return this.readHead(buffer);
      case 'length':
        return this.readLength(buffer);
      case 'data':
        return this.readChunk(buffer);
      default:
        return this.readLine(buffer);
    }
  }

  private readHead(buffer: Buffer): number {
    const end = buffer.indexOf(headEnd);
    if (end < 0) return 0;
    const head = buffer.toString('latin1', 0, end + 2).toLowerCase();
    this.status = Number(head.slice(9, 12));
    this.keepsAlive = !head.includes('\r\nconnection: close\r\n');
    const length = /\r\ncontent-length: (\d+)\r\n/.exec(head)?.[1];
    if (length !== undefined) {
      this.left = Number(length);
      this.state = 'length';
      if (this.left === 0) this.finish();
    } else if (head.includes('\r\ntransfer-encoding: chunked\r\n')) {
      this.state = 'size';
    } else {
      this.sink.broken(`an answer without a length: ${head.slice(0, 200)}`);
    }
    return end + headEnd.length;
  }

  private readLength(buffer: Buffer): number {
    const used = Math.min(this.left, buffer.length);
    this.left -= used;
    this.sink.body(buffer.subarray(0, used));
    if (this.left === 0) this.finish();
    return used;
  }

  private readChunk(buffer: Buffer): number {
    const used = Math.min(this.left, buffer.length);
    const text = Math.min(used, this.left - 2); // the last two bytes are the chunk's own line end
    if (text > 0) this.sink.body(buffer.subarray(0, text));
    this.left -= used;
    if (this.left === 0) this.state = 'size';
    return used;
  }

  private readLine(buffer: Buffer): number {
    const end = buffer.indexOf('\r\n');
    if (end < 0) return 0;
    if (this.state === 'trailer') {
      if (end === 0) this.finish();
      return end + 2;
    }
    const size = Number.parseInt(buffer.toString('latin1', 0, end), 16);
    if (Number.isNaN(size)) this.sink.broken('a chunk without a size');
    this.state = size === 0 ? 'trailer' : 'data';
    this.left = size + 2;
    return end + 2;
  }

  private finish(): void {
    this.state = 'head';
    this.sink.end(this.status, this.keepsAlive);
  }
}
