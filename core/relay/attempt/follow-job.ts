import { UpstreamError } from '../../errors/upstream-error.ts';
import type { UpstreamResponse } from '../../integrations/outbound/upstream-client.ts';
import type { UpstreamJob } from '../../providers/adapter.ts';
import { coded } from '../../text/coded.ts';
import { parseOrText } from './upstream-refusal.ts';

const firstPauseMs = 500;
const maxPauseMs = 5000;
/** About three minutes. */
const maxQuestions = 40;
const responseBytes = 1024 * 1024;

/**
 * Asks for a job's result until it is there, and gives the response that contains it; one that refuses to tell is given as it is.
 * Throws UpstreamError for a job that failed, and for one that takes too long: begun elsewhere it would be paid for twice.
 */
export async function followJob(
  begun: UpstreamResponse,
  job: UpstreamJob,
  ask: (url: string, pauseMs: number) => Promise<UpstreamResponse>,
): Promise<UpstreamResponse> {
  let response = begun;
  let pauseMs = firstPauseMs;
  for (let question = 0; question < maxQuestions; question += 1) {
    if (response.status < 200 || response.status > 299) return response;
    const bytes = await response.readAll(responseBytes);
    const url = job.next(parseOrText(bytes.toString('utf8')));
    if (url === undefined) return new ReadResponse(response, bytes);
    response = await ask(url, pauseMs);
    pauseMs = Math.min(pauseMs * 2, maxPauseMs);
  }
  response.abort();
  throw new UpstreamError({ status: 504, coded: coded('upstream.unfinished'), kind: 'client' });
}

/** A response that was read before it was needed. */
class ReadResponse implements UpstreamResponse {
  readonly status: number;
  readonly headers: UpstreamResponse['headers'];
  readonly #bytes: Buffer;

  constructor({ status, headers }: UpstreamResponse, bytes: Buffer) {
    this.status = status;
    this.headers = headers;
    this.#bytes = bytes;
  }

  consume(sink: Parameters<UpstreamResponse['consume']>[0]): void {
    sink.data(this.#bytes);
    sink.end();
  }

  readAll(): Promise<Buffer> {
    return Promise.resolve(this.#bytes);
  }

  /** Nothing comes any more that could wait or be given up. */
  pause(): void {}
  resume(): void {}
  abort(): void {}
}
