import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import type { CountRequest, CountResponse, Encoding } from './count-worker.ts';

export interface TokenCounter {
  /** Tokens of all texts together, as the model's tokeniser cuts them. Never fails: an estimate stands in for a lost worker. */
  count(texts: string[], model: string): Promise<number>;
  close(): Promise<void>;
}

export interface TokenCounterOptions {
  /** Told of each worker that ended by itself; the next count, or the one under way, starts another. */
  onWorkerLost?: (cause: unknown) => void;
  startWorker?: () => Worker;
}

interface Waiting {
  request: CountRequest;
  characters: number;
  mayRetry: boolean;
  resolve: (count: number) => void;
}

// Texts wait in memory for the worker; beyond this they are estimated, so that a burst of huge prompts cannot fill it.
const maxWaitingCharacters = 64 * 1024 * 1024;

const o200kPrefixes = ['gpt-4o', 'chatgpt-4o', 'o1', 'o3', 'o4', 'gpt-4.1', 'gpt-5'];

/** Counts in one worker thread, started with the first count: the tokeniser would block the event loop for tenths of a second. */
export function createTokenCounter({
  onWorkerLost = () => {},
  startWorker = startCountWorker,
}: TokenCounterOptions = {}): TokenCounter {
  const waiting = new Map<number, Waiting>();
  let worker: Worker | undefined;
  let waitingCharacters = 0;
  let lastId = 0;
  let isClosed = false;

  function count(texts: string[], model: string): Promise<number> {
    const characters = texts.reduce((sum, text) => sum + text.length, 0);
    if (characters === 0) return Promise.resolve(0);
    if (isClosed || waitingCharacters + characters > maxWaitingCharacters) return Promise.resolve(estimate(texts));
    lastId += 1;
    const request = { id: lastId, texts, encoding: encodingFor(model) };
    return new Promise((resolve) => {
      waiting.set(request.id, { request, characters, mayRetry: true, resolve });
      waitingCharacters += characters;
      worker ??= start();
      worker?.ref();
      worker?.postMessage(request);
      if (!worker) finish(request.id, estimate(texts));
    });
  }

  /** Undefined where no thread can be started, as at a limit of the system: the next count tries again. */
  function start(): Worker | undefined {
    let started: Worker;
    try {
      started = startWorker();
    } catch (error) {
      onWorkerLost(error);
      return undefined;
    }
    let cause: unknown;
    started.on('message', ({ id, count }: CountResponse) => finish(id, count));
    // Always followed by `exit`, which does the work.
    started.on('error', (error) => {
      cause = error;
    });
    started.on('exit', (exitCode) => {
      if (!isClosed) onWorkerLost(cause ?? new Error(`the token counting worker ended with code ${exitCode}`));
      replaceLostWorker();
    });
    return started;
  }

  function finish(id: number, count: number): void {
    const done = waiting.get(id);
    if (!done) return;
    waiting.delete(id);
    waitingCharacters -= done.characters;
    // An idle worker must not keep a finished command from exiting.
    if (waiting.size === 0) worker?.unref();
    done.resolve(count);
  }

  function replaceLostWorker(): void {
    worker = undefined;
    for (const { request, mayRetry } of [...waiting.values()]) {
      if (isClosed || !mayRetry) finish(request.id, estimate(request.texts));
    }
    if (waiting.size === 0) return;
    worker = start();
    for (const each of [...waiting.values()]) {
      each.mayRetry = false;
      if (worker) worker.postMessage(each.request);
      else finish(each.request.id, estimate(each.request.texts));
    }
  }

  async function close(): Promise<void> {
    isClosed = true;
    await worker?.terminate();
  }

  return { count, close };
}

/** A cheap guess, good enough to hold quota before a call: a token has about four bytes of prose or code, three of Chinese. */
export function estimateTokens(utf8Bytes: number): number {
  return Math.ceil(utf8Bytes / 3);
}

function estimate(texts: string[]): number {
  return estimateTokens(texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0));
}

// Relay reference, 7: vendors other than OpenAI are counted with cl100k too.
function encodingFor(model: string): Encoding {
  return o200kPrefixes.some((prefix) => model.startsWith(prefix)) ? 'o200k' : 'cl100k';
}

/** Beside this file in the sources; the build is one file in dist/, and puts the worker below it. */
function startCountWorker(): Worker {
  const source = new URL('./count-worker.ts', import.meta.url);
  if (!existsSync(source)) return new Worker(new URL('./core/billing/count-worker.js', import.meta.url));
  // A thread does not take over the loader that lets its parent read TypeScript, so it loads its own first.
  const loader = import.meta.resolve('tsx/esm/api');
  const code = `import('${loader}').then(({ register }) => { register(); return import('${source.href}'); })`;
  return new Worker(code, { eval: true });
}
