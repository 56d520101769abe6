import { UpstreamError } from '../../errors/upstream-error.ts';
import type { UpstreamAnswer } from '../../integrations/outbound/upstream-client.ts';
import type { UpstreamJob } from '../../providers/adapter.ts';
import { parseOrText } from './upstream-refusal.ts';

const firstPauseMs = 500;
const longestPauseMs = 5000;
/** About three minutes. */
const mostQuestions = 40;
const answerBytes = 1024 * 1024;

/**
 * Asks for a job's result until it is there, and gives the answer that holds it; one that refuses to tell is given as it is.
 * Throws UpstreamError for a job that failed, and for one that takes too long: begun elsewhere it would be paid for twice.
 */
export async function followJob(
  begun: UpstreamAnswer,
  job: UpstreamJob,
  ask: (url: string, pauseMs: number) => Promise<UpstreamAnswer>,
): Promise<UpstreamAnswer> {
  let answer = begun;
  let pauseMs = firstPauseMs;
  for (let question = 0; question < mostQuestions; question += 1) {
    if (answer.status < 200 || answer.status > 299) return answer;
    const bytes = await answer.readAll(answerBytes);
    const url = job.next(parseOrText(bytes.toString('utf8')));
    if (url === undefined) return new ReadAnswer(answer, bytes);
    answer = await ask(url, pauseMs);
    pauseMs = Math.min(pauseMs * 2, longestPauseMs);
  }
  answer.abort();
  throw new UpstreamError({ status: 504, message: 'The upstream did not finish the job in time.', kind: 'client' });
}

/** An answer that was read before anybody wanted it. */
class ReadAnswer implements UpstreamAnswer {
  readonly status: number;
  readonly headers: UpstreamAnswer['headers'];
  readonly #bytes: Buffer;

  constructor({ status, headers }: UpstreamAnswer, bytes: Buffer) {
    this.status = status;
    this.headers = headers;
    this.#bytes = bytes;
  }

  consume(sink: Parameters<UpstreamAnswer['consume']>[0]): void {
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
