import { describe, expect, it } from 'vitest';
import { callBody, readShape } from './calls.ts';
import { ResponseReader } from './response-reader.ts';
import { targets, verdictOf } from './targets.ts';

const chunkedResponse =
  'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n' +
  '8\r\ndata: a\n\r\n1\r\n\n\r\n9\r\ndata: b\n\n\r\n0\r\nx-trailer: 1\r\n\r\n';
const plainResponse = 'HTTP/1.1 429 Too Many\r\nContent-Length: 5\r\nConnection: close\r\n\r\nlater';

function read(text: string, size: number) {
  const responses: { status: number; keepsAlive: boolean; body: string }[] = [];
  const broken: string[] = [];
  let body = '';
  const reader = new ResponseReader({
    body: (bytes) => {
      body += bytes;
    },
    end: (status, keepsAlive) => {
      responses.push({ status, keepsAlive, body });
      body = '';
    },
    broken: (why) => broken.push(why),
  });
  const bytes = Buffer.from(text);
  for (let from = 0; from < bytes.length; from += size) reader.feed(bytes.subarray(from, from + size));
  return { responses, broken };
}

describe('response reader of the load generator', () => {
  it('reads responses wherever the packets are split', () => {
    for (let size = 1; size <= chunkedResponse.length + plainResponse.length; size += 1) {
      expect(read(chunkedResponse + plainResponse, size).responses).toEqual([
        { status: 200, keepsAlive: true, body: 'data: a\n\ndata: b\n\n' },
        { status: 429, keepsAlive: false, body: 'later' },
      ]);
    }
  });

  it('does not take a response that was cut for a whole one', () => {
    expect(read(chunkedResponse.slice(0, -9), 7).responses).toEqual([]);
    expect(read('HTTP/1.1 200 OK\r\n\r\nno length', 100).broken).not.toEqual([]);
  });
});

describe('benchmark call', () => {
  it('tells the upstream how to respond', () => {
    const shape = { chunks: 500, everyMs: 3 };
    expect(readShape(Buffer.from(callBody(shape, 'openai')))).toEqual(shape);
  });
});

describe('verdict', () => {
  it('is the goal, the must or a miss, judged as printed', () => {
    const verdicts = [1.99, 2.004, 2.5, 3.004, 3.01].map((value) => verdictOf(targets.cpuPerCall, value));
    expect(verdicts).toEqual(['goal', 'goal', 'ok', 'ok', 'missed']);
  });
});
