import { UpstreamFailure } from './upstream-failure.ts';
import type { UpstreamResponse } from './upstream-response.ts';

const defaultMaxBytes = 64 * 1024 * 1024;

/** The whole body of a response. `fail` is handed out for a call that is given up meanwhile, whose sink is not called again. */
export function readAll(
  response: Pick<UpstreamResponse, 'consume' | 'abort'>,
  maxBytes: number = defaultMaxBytes,
  onPending: (fail: (error: UpstreamFailure) => void) => void,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    onPending(reject);
    const chunks: Buffer[] = [];
    let length = 0;
    response.consume({
      data: (chunk) => {
        length += chunk.length;
        chunks.push(chunk);
        if (length <= maxBytes) return;
        reject(new UpstreamFailure('tooLarge'));
        response.abort();
      },
      end: () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, length)),
      error: reject,
    });
  });
}
