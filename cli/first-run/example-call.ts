import { chatModelIn, isEmbeddingModel } from '../../core/schemas/chat-model.ts';

/** A first call to copy: a chat where one of the models chats, otherwise what embeds a word. */
export function exampleCall(api: string, models: readonly string[], key: string): string {
  const model = chatModelIn(models);
  const [path, asked] = isEmbeddingModel(model)
    ? ['embeddings', { input: 'hi' }]
    : ['chat/completions', { messages: [{ role: 'user', content: 'hi' }] }];
  const body = JSON.stringify({ model, ...asked });
  return `curl ${api}/${path} -H "Authorization: Bearer ${key}" -H "Content-Type: application/json" -d '${body}'`;
}
