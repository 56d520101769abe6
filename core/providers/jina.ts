import { AppError } from '../errors/app-error.ts';
import type { UpstreamCall } from './adapter.ts';
import type { BodyEdits } from './body-edit.ts';
import { defineCompatibleProvider } from './compatible.ts';
import { typeFacts } from './type-fact.ts';

const { label } = typeFacts(38);

/** Vectors and ranks. It follows OpenAI's form, with more in it: `task`, `late_chunking`, pictures to embed. */
export const jina = defineCompatibleProvider({
  ...typeFacts(38),
  protocols: ['openai-embedding', 'rerank'],
  unsupported: ['user'],
  adjust: adjustEmbedding,
  errors: [
    { status: [403], kind: 'dead' },
    { status: [402], kind: 'balance' },
  ],
  modelsUrl: null,
});

function adjustEmbedding(edits: BodyEdits, { protocol, fields, body }: UpstreamCall): undefined {
  if (protocol !== 'openai-embedding') return;
  const input: unknown[] = Array.isArray(body?.input) ? body.input : [];
  // Tokens of another vendor's vocabulary mean nothing here.
  if (input.some((item) => typeof item === 'number' || Array.isArray(item)))
    throw new AppError('provider.fieldNotOffered', { provider: label, field: 'input: token ids' }, { param: 'input' });
  if (fields.value('encoding_format') === 'base64') edits.rename('encoding_format', 'embedding_type');
  else edits.drop('encoding_format');
}
