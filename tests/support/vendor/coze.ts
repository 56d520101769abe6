import { expect } from 'vitest';
import { type FakeResponse, failure, json } from '../upstream-script.ts';
import type { VendorFixture } from './vendor-fixture.ts';

/** As the vendor writes them: no space behind the colons, and the kind of an event in its `event:` line alone. */
export function cozeStream(...events: [name: string, data: unknown][]): FakeResponse {
  return {
    status: 200,
    headers: { 'content-type': 'text/event-stream' },
    pieces: events.map(([name, data]) => Buffer.from(`event:${name}\ndata:${JSON.stringify(data)}\n\n`)),
  };
}

const ids = { id: '9', conversation_id: '7', bot_id: '5', chat_id: '8' };
const chat = { id: '8', conversation_id: '7', bot_id: '5' };

export const cozeSays = (content: string, members: object = {}) => ({
  ...ids,
  role: 'assistant',
  type: 'answer',
  content,
  content_type: 'text',
  ...members,
});

export const cozeEnd = {
  ...chat,
  status: 'completed',
  usage: { token_count: 12, output_count: 2, input_count: 10 },
};

const refusal = (code: number, msg: string): FakeResponse => json(200, { code, msg });

export const coze: VendorFixture = {
  type: 49,
  variant: '',
  channel: { key: 'pat_of_49', other: '5' },
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
    model: 'my-bot',
    text: {
      stream: cozeStream(
        ['conversation.chat.created', { ...chat, status: 'created' }],
        ['conversation.chat.in_progress', { ...chat, status: 'in_progress' }],
        ['conversation.message.delta', cozeSays('Hello from ')],
        ['conversation.message.delta', cozeSays('upstream.')],
        ['conversation.message.completed', cozeSays('Hello from upstream.')],
        ['conversation.message.completed', cozeSays('{"msg_type":"generate_answer_finish"}', { type: 'verbose' })],
        ['conversation.message.completed', cozeSays('What else?', { type: 'follow_up' })],
        ['conversation.chat.completed', cozeEnd],
        ['done', '[DONE]'],
      ),
      asked({ path, headers, json: body }) {
        expect(path).toBe('/v3/chat');
        expect(headers.authorization).toBe('Bearer pat_of_49');
        expect(body).toMatchObject({
          bot_id: '5',
          stream: true,
          auto_save_history: false,
          additional_messages: [
            { role: 'user', content: 'Be brief.', content_type: 'text' },
            { role: 'user', content: 'Hi', content_type: 'text' },
          ],
        });
      },
    },
    usage: { prompt: 10, completion: 2 },
  },
  errors: [
    { title: 'wrong token', response: refusal(4100, 'authentication is invalid'), kind: 'dead' },
    { title: 'no permission', response: refusal(4101, 'no permission to the bot'), kind: 'dead' },
    { title: 'quota used up', response: refusal(4028, 'free quota is used up'), kind: 'balance' },
    { title: 'too many requests', response: refusal(4013, 'rate limit'), kind: 'retry' },
    { title: 'wrong parameter', response: refusal(4000, 'invalid parameter'), kind: 'client' },
    { title: 'broken server', response: failure(500), kind: 'retry' },
    {
      title: 'failed inside a stream',
      response: cozeStream(
        ['conversation.chat.created', { ...chat, status: 'created' }],
        ['conversation.chat.failed', { ...chat, status: 'failed', last_error: { code: 5000, msg: 'internal' } }],
      ),
      kind: 'retry',
    },
    {
      title: 'error event',
      response: cozeStream(['error', { code: 4027, msg: 'the plan has ended' }]),
      kind: 'balance',
    },
    {
      title: 'tool at the caller',
      response: cozeStream(['conversation.chat.requires_action', { ...chat, status: 'requires_action' }]),
      kind: 'retry',
    },
  ],
};
