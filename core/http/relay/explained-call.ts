import type { BodyEdit } from '../../canonical/body-edit.ts';
import type { RelayBody } from '../../relay/call.ts';
import type { ExplainedCall } from '../../relay/explain/explain.ts';
import type { ExplainInput } from '../../schemas/explain.ts';
import type { ExplainedProtocol } from '../../schemas/explained-protocol.ts';
import { geminiGenerate, geminiStream } from '../../wire/gemini/index.ts';
import { protocols } from '../../wire/registry.ts';
import { jsonBodyOf } from '../body/json-body.ts';

const messages = [{ role: 'user', content: 'hi' }];

/** The shortest call of each kind. */
const greetings: Record<ExplainedProtocol, Record<string, unknown>> = {
  'openai-chat': { messages },
  'openai-responses': { input: 'hi' },
  'anthropic-messages': { max_tokens: 1024, messages },
  gemini: { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] },
  'openai-completion': { prompt: 'hi' },
  'openai-embedding': { input: 'hi' },
  'openai-moderation': { input: 'hi' },
  'openai-image': { prompt: 'a cat' },
  'openai-speech': { input: 'hi', voice: 'alloy' },
  rerank: { query: 'hi', documents: ['hi'] },
  'cohere-rerank': { query: 'hi', documents: ['hi'] },
};

/** A call as if it had come in over HTTP. Throws AppError when its body is not valid. */
export async function explainedCall(input: ExplainInput): Promise<ExplainedCall> {
  const { model, protocol: name, stream, group, token_id, channel_id, address } = input;
  const from = { tokenId: token_id, group, channelId: channel_id, address };
  if (name === 'gemini') {
    // Google's clients name model and kind of response in the path.
    const query = new URLSearchParams(stream ? { alt: 'sse' } : {});
    const body = await jsonBodyOf(bytesOf(input));
    return { protocol: stream ? geminiStream : geminiGenerate, pathModel: model, query, body, from };
  }
  const edits: BodyEdit[] = [
    ...(model === undefined ? [] : [{ set: 'model', raw: JSON.stringify(model) }]),
    ...(stream ? [{ set: 'stream', raw: 'true' }] : []),
  ];
  const body = await edited(await jsonBodyOf(bytesOf(input)), edits);
  return { protocol: protocols[name], pathModel: undefined, query: new URLSearchParams(), body, from };
}

function bytesOf({ model, protocol, stream, body }: ExplainInput): Buffer {
  if (body !== undefined) return Buffer.from(body);
  const named = protocol === 'gemini' || model === undefined ? {} : { model };
  return Buffer.from(JSON.stringify({ ...named, ...greetings[protocol], ...(stream && named.model && { stream }) }));
}

/** What the body says already is left alone, to the last space. */
async function edited(body: RelayBody, edits: BodyEdit[]): Promise<RelayBody> {
  const missing = edits.filter((edit) => 'set' in edit && JSON.stringify(body.fields.value(edit.set)) !== edit.raw);
  if (missing.length === 0) return body;
  const bytes = body.source(missing).open();
  return Buffer.isBuffer(bytes) ? jsonBodyOf(bytes) : body;
}
