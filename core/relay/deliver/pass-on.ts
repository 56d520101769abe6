import type { UpstreamResponse } from '../../integrations/outbound/upstream-client.ts';
import type { ClientWriter } from './client-writer.ts';

const nothing = Buffer.alloc(0);

/** A body as it comes, after its head was committed; resolves when it ended, was broken off, or the client left. */
export function passOn(
  response: UpstreamResponse,
  client: ClientWriter,
  maxBytes = Number.POSITIVE_INFINITY,
): Promise<void> {
  return new Promise((resolve) => {
    let length = 0;
    client.onGone(() => {
      response.abort();
      resolve();
    });
    // Only a broken connection tells the client that this was not all.
    const breakOff = () => {
      client.break();
      resolve();
    };
    response.consume({
      data(chunk) {
        length += chunk.length;
        if (length > maxBytes) {
          response.abort();
          breakOff();
          return;
        }
        if (client.write(chunk) || client.gone) return;
        response.pause();
        client.onDrain(() => response.resume());
      },
      end() {
        client.end(nothing);
        resolve();
      },
      error: breakOff,
    });
  });
}
