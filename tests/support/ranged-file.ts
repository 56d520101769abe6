import type { FakeResponse, RecordedRequest } from './upstream-script.ts';

/** A file as a vendor that knows ranges serves it. */
export function inRanges(type: string, whole: Buffer): (request: RecordedRequest) => FakeResponse {
  return ({ headers: { range = '' } }) => {
    const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(range) ?? [];
    const headers = { 'content-type': type, 'accept-ranges': 'bytes' };
    if (from === undefined) return { headers, body: whole };
    const last = to ? Math.min(Number(to), whole.length - 1) : whole.length - 1;
    const part = { 'content-range': `bytes ${from}-${last}/${whole.length}` };
    return { status: 206, headers: { ...headers, ...part }, body: whole.subarray(Number(from), last + 1) };
  };
}
