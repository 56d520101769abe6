import { AppError } from '../../errors/app-error.ts';
import type { OutboundProfile } from '../../integrations/outbound/address-rules.ts';
import type { UpstreamAnswer, UpstreamClient } from '../../integrations/outbound/upstream-client.ts';
import type { ClientWriter } from '../client-writer.ts';

const limits = { headersMs: 30_000, idleMs: 30_000, totalMs: 600_000 };
const maxRedirects = 3;
const nothing = Buffer.alloc(0);

/** A file that a vendor made, and the way to it. */
export interface MadeFile {
  url: string;
  headers: Record<string, string>;
  /** `user` where the address came from outside: public hosts only, judged at every step of the way. */
  profile: Extract<OutboundProfile, 'user' | 'operator' | 'operatorPrivate'>;
  proxy?: string | undefined;
  /** What may be passed on. */
  types: RegExp;
  defaultType: string;
  maxBytes: number;
  cacheSeconds: number;
}

/** Shows what lies at a vendor's. Throws `task.fileUnreadable` while nothing has been sent. */
export function createMadeFiles(upstream: Pick<UpstreamClient, 'sendAs'>) {
  async function open({ url: first, headers, profile, proxy }: MadeFile): Promise<UpstreamAnswer> {
    let url = first;
    for (let left = maxRedirects; left >= 0; left -= 1) {
      // A key is for the host that it was given for.
      const isOwn = new URL(url).origin === new URL(first).origin;
      const answer = await upstream.sendAs(profile, {
        ...{ url, method: 'GET', headers: isOwn ? headers : {}, body: null, limits, proxy },
        privateAllowed: profile === 'operatorPrivate',
      });
      const { location } = answer.headers;
      if (answer.status < 300 || answer.status > 399 || typeof location !== 'string') return answer;
      answer.abort();
      url = new URL(location, url).href;
    }
    throw new AppError('task.fileUnreadable');
  }

  async function show(file: MadeFile, client: ClientWriter): Promise<void> {
    const answer = await open(file).catch((cause: unknown) => {
      throw new AppError('task.fileUnreadable', {}, { cause });
    });
    const type = String(answer.headers['content-type'] ?? file.defaultType);
    if (answer.status !== 200 || !file.types.test(type)) {
      answer.abort();
      throw new AppError('task.fileUnreadable');
    }
    const safe = ['content-security-policy', "default-src 'none'; sandbox", 'x-content-type-options', 'nosniff'];
    const cache = file.cacheSeconds > 0 ? `private, max-age=${file.cacheSeconds}` : 'no-store';
    client.commit(200, ['content-type', type, 'cache-control', cache, ...safe]);
    await passOn(answer, client, file.maxBytes);
  }

  return { show };
}

export type MadeFiles = ReturnType<typeof createMadeFiles>;

function passOn(answer: UpstreamAnswer, client: ClientWriter, maxBytes: number): Promise<void> {
  return new Promise((resolve) => {
    let length = 0;
    client.onGone(() => {
      answer.abort();
      resolve();
    });
    const breakOff = () => {
      client.break();
      resolve();
    };
    answer.consume({
      data(chunk) {
        length += chunk.length;
        if (length > maxBytes) {
          answer.abort();
          breakOff();
          return;
        }
        if (client.write(chunk) || client.gone) return;
        answer.pause();
        client.onDrain(() => answer.resume());
      },
      end() {
        client.end(nothing);
        resolve();
      },
      error: breakOff,
    });
  });
}
