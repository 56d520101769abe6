import { expect } from 'vitest';
import { type FakeResponse, failure, json, sse } from '../upstream-script.ts';
import type { VendorFixture } from './vendor-fixture.ts';

const ids = { task_id: 't1', message_id: 'm1', conversation_id: 'c1', created_at: 1_700_000_000 };
const usage = { prompt_tokens: 7, completion_tokens: 2, total_tokens: 9, total_price: '0.0000090', currency: 'USD' };
const ping = Buffer.from('event: ping\n\n');

export function difyEvent(event: string, members: Record<string, unknown> = {}) {
  return { event, ...ids, ...members };
}

export const difyEnd = difyEvent('message_end', { metadata: { usage, retriever_resources: [] } });

function stream(...events: unknown[]): FakeResponse {
  const response = sse(events);
  const [first = ping, ...others] = response.pieces ?? [];
  return { ...response, pieces: [first, ping, ...others] };
}

function refusal(status: number, code: string, message: string): FakeResponse {
  return json(status, { code, message, status });
}

const error = difyEvent('error', { status: 400, code: 'provider_quota_exceeded', message: 'quota exceeded' });

function fixture(variant: string, other: string, path: string, text: FakeResponse): VendorFixture {
  return {
    type: 37,
    variant,
    channel: { key: 'app-key-of-37', ...(other && { other }) },
    lacks: {
      tools: 'ownTools',
      vision: 'imageByUrl',
      embeddings: 'noApi',
      rerank: 'noApi',
      images: 'noApi',
      speech: 'noApi',
      transcription: 'noApi',
      models: 'appIsModel',
      balance: 'noApi',
    },
    chat: {
      model: 'my-app',
      text: {
        stream: text,
        asked(request) {
          expect(request.path).toBe(path);
          expect(request.headers.authorization).toBe('Bearer app-key-of-37');
          const query = 'SYSTEM:\nBe brief.\nUSER:\nHi\n';
          expect(request.json).toMatchObject({
            query,
            response_mode: 'streaming',
            auto_generate_name: false,
            inputs: other === 'completion' ? { query } : {},
          });
          expect(request.json).not.toHaveProperty('conversation_id');
        },
      },
      usage: { prompt: 7, completion: 2 },
    },
    errors: [
      { title: 'wrong key', response: refusal(401, 'unauthorized', 'Access token is invalid'), kind: 'dead' },
      {
        title: 'no quota',
        response: refusal(400, 'provider_quota_exceeded', 'Your quota is used up.'),
        kind: 'balance',
      },
      { title: 'plan is used up', response: refusal(429, 'rate_limit_error', 'Upgrade your plan.'), kind: 'balance' },
      { title: 'not set up', response: refusal(400, 'provider_not_initialize', 'No model is set.'), kind: 'dead' },
      { title: 'too many requests', response: refusal(429, 'too_many_requests', 'Slow down.'), kind: 'retry' },
      { title: 'model failed', response: refusal(400, 'completion_request_error', 'It failed.'), kind: 'retry' },
      { title: 'wrong input', response: refusal(400, 'invalid_param', 'inputs: city is required'), kind: 'client' },
      { title: 'file too large', response: refusal(413, 'file_too_large', 'Too large.'), kind: 'client' },
      { title: 'broken server', response: failure(500), kind: 'retry' },
      { title: 'error inside a stream', response: sse([error]), kind: 'balance' },
      {
        title: 'failed workflow',
        response: sse([
          difyEvent('workflow_started', { data: {} }),
          difyEvent('workflow_finished', { data: { status: 'failed', error: 'Node 2 failed.' } }),
        ]),
        kind: 'retry',
      },
    ],
  };
}

export const difyFixtures: VendorFixture[] = [
  fixture(
    '',
    '',
    '/v1/chat-messages',
    stream(
      difyEvent('workflow_started', { data: { id: 'w1' } }),
      difyEvent('message', { answer: 'Hello from ' }),
      difyEvent('node_finished', { data: { status: 'succeeded' } }),
      difyEvent('message', { answer: 'upstream.' }),
      difyEnd,
    ),
  ),
  fixture(
    'agent',
    'agent',
    '/v1/chat-messages',
    stream(
      difyEvent('agent_thought', { thought: '', tool: 'search', observation: 'found' }),
      difyEvent('agent_message', { answer: 'Hello from ' }),
      difyEvent('agent_message', { answer: 'upstream.' }),
      difyEvent('message', { answer: 'Hello from upstream.' }),
      difyEnd,
    ),
  ),
  fixture(
    'completion',
    'completion',
    '/v1/completion-messages',
    stream(difyEvent('message', { answer: 'Hello from ' }), difyEvent('message', { answer: 'upstream.' }), difyEnd),
  ),
];
