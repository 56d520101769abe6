import { parentPort } from 'node:worker_threads';

export type Encoding = 'cl100k' | 'o200k';

export interface CountRequest {
  id: number;
  texts: string[];
  encoding: Encoding;
}

export interface CountResponse {
  id: number;
  count: number;
}

// Each encoding takes tens of megabytes and about 0.2 s to load, so it is loaded on first use.
const loaders = {
  cl100k: () => import('gpt-tokenizer/encoding/cl100k_base'),
  o200k: () => import('gpt-tokenizer/encoding/o200k_base'),
};

// Text that looks like `<|endoftext|>` is text; the tokeniser would refuse it otherwise.
const everythingIsText = { disallowedSpecial: new Set<string>() };

// The tokeniser's work grows with the square of an unbroken run (100,000 equal letters take 7 s), so longer runs are cut. A cut
// changes the count by one at most. The look-behind keeps the search itself linear.
const maxRunLength = 512;
const longRuns = /(?<![\p{L}\p{M}])[\p{L}\p{M}]{512,}|(?<!\s)\s{512,}|(?<![^\s\p{L}\p{N}])[^\s\p{L}\p{N}]{512,}/gu;

parentPort?.on('message', async ({ id, texts, encoding }: CountRequest) => {
  const { countTokens } = await loaders[encoding]();
  let count = 0;
  for (const text of texts) {
    for (const piece of piecesOf(text)) count += countTokens(piece, everythingIsText);
  }
  parentPort?.postMessage({ id, count } satisfies CountResponse);
});

function* piecesOf(text: string): Generator<string> {
  let start = 0;
  if (text.length > maxRunLength) {
    for (const { 0: run, index } of text.matchAll(longRuns)) {
      yield text.slice(start, index);
      yield* inSlices(run);
      start = index + run.length;
    }
  }
  yield text.slice(start);
}

function* inSlices(run: string): Generator<string> {
  let start = 0;
  while (start < run.length) {
    let end = start + maxRunLength;
    // A pair of surrogates is one character and stays whole.
    if (/[\ud800-\udbff]/.test(run[end - 1] ?? '')) end += 1;
    yield run.slice(start, end);
    start = end;
  }
}
