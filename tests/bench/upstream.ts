import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { benchModel, readShape } from './calls.ts';

/** The fake upstream of the benchmark, a process of its own: responds in one write, counts calls per key. */
const created = 1_767_322_800;
const usage = {
  prompt_tokens: 38,
  completion_tokens: 42,
  total_tokens: 80,
  prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
  completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 0 },
};
const reply = Buffer.from(
  JSON.stringify({
    id: 'chatcmpl-bench',
    object: 'chat.completion',
    created,
    model: benchModel,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: 'Tollgate benchmark answer: carts paid by the axle, riders by the horse, and the keeper a tenth.',
          refusal: null,
        },
        logprobs: null,
        finish_reason: 'stop',
      },
    ],
    usage,
    system_fingerprint: 'fp_bench',
  }),
);
const responseHeaders = {
  'content-type': 'application/json',
  'content-length': reply.length,
  'x-request-id': 'req_bench',
};

const roleEvent = event([{ index: 0, delta: { role: 'assistant', content: '' }, logprobs: null, finish_reason: null }]);
const tokenEvent = event([{ index: 0, delta: { content: ' token' }, logprobs: null, finish_reason: null }]);
const lastEvents = Buffer.concat([
  event([{ index: 0, delta: {}, logprobs: null, finish_reason: 'stop' }]),
  event([], usage),
  Buffer.from('data: [DONE]\n\n'),
]);

function event(choices: unknown[], used: unknown = null): Buffer {
  const chunk = {
    id: 'chatcmpl-bench',
    object: 'chat.completion.chunk',
    created,
    model: benchModel,
    choices,
    usage: used,
  };
  return Buffer.from(`data: ${JSON.stringify(chunk)}\n\n`);
}

const hits = new Map<string, number>();

const server = createServer({ keepAliveTimeout: 120_000 }, (request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    const key = request.headers.authorization ?? '';
    hits.set(key, (hits.get(key) ?? 0) + 1);
    const { chunks, everyMs } = readShape(parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts));
    if (chunks > 0) return stream(response, chunks, everyMs);
    response.writeHead(200, responseHeaders);
    response.end(reply);
  });
});

function stream(response: ServerResponse, chunks: number, everyMs: number): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'x-request-id': 'req_bench' });
  response.write(roleEvent);
  let left = chunks;
  const next = () => {
    if (response.destroyed) return;
    if (left === 0) {
      response.end(lastEvents);
      return;
    }
    left -= 1;
    if (!response.write(tokenEvent)) response.once('drain', next);
    else if (everyMs > 0) setTimeout(next, everyMs);
    // One chunk per turn of the loop: a real upstream sends tokens apart, never a megabyte at once.
    else setImmediate(next);
  };
  next();
}

server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.on('message', () => process.send?.({ hits: Object.fromEntries(hits) }));
process.on('disconnect', () => process.exit());
