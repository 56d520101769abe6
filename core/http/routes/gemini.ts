import { geminiArrayStream, geminiGenerate, geminiStream } from '../../wire/gemini/index.ts';
import { geminiBatchEmbedding, geminiEmbedding } from '../../wire/gemini-embedding/index.ts';
import type { Protocol } from '../../wire/protocol.ts';
import type { RawExchange, RawRoute } from '../route.ts';
import { respondToUnknownRelayPath } from '../unknown-path.ts';

/** What may follow the colon of `models/{model}:{action}`; the exchange's `model` parameter is filled in. */
export type GeminiActions = Readonly<Record<string, (exchange: RawExchange) => Promise<void> | void>>;

/** Google's SDKs name model and action in one path segment, some of them under a project or a publisher, as Vertex AI has it. */
const paths = ['/v1beta/*', '/v1alpha/*', '/v1/models/*', '/v1/projects/*', '/v1/publishers/*', '/v1beta1/*'];
const folder = '/models/';
const target = /^(.+):(\w+)\/?$/;

/** POST calls in Google's form: told apart by the action behind the model. */
export function geminiRoutes(actions: GeminiActions): RawRoute[] {
  function serve(exchange: RawExchange, place: string): Promise<void> | void {
    const [, model = '', action = ''] = target.exec(namedIn(place, exchange.params['*'] ?? '')) ?? [];
    const run = Object.hasOwn(actions, action) ? actions[action] : undefined;
    if (run) return run({ ...exchange, params: { model } });
    return respondToUnknownRelayPath(exchange);
  }

  return paths.map(
    (path): RawRoute => ({
      method: 'POST',
      path,
      access: 'key',
      serve: (exchange) => serve(exchange, path.slice(0, -1)),
    }),
  );
}

/** What is behind the first folder of models: others may be part of a name, such as `accounts/fireworks/models/llama`. */
function namedIn(place: string, rest: string): string {
  const path = place + rest;
  const at = path.indexOf(folder);
  return at < 0 ? rest : path.slice(at + folder.length);
}

/** What the relay serves. Of chat, the query says how a stream is framed. */
export function geminiRelayActions(serve: (exchange: RawExchange, protocol: Protocol) => Promise<void>): GeminiActions {
  return {
    generateContent: (exchange) => serve(exchange, geminiGenerate),
    streamGenerateContent: (exchange) =>
      serve(exchange, /[?&]alt=sse(&|$)/.test(exchange.incoming.url ?? '') ? geminiStream : geminiArrayStream),
    embedContent: (exchange) => serve(exchange, geminiEmbedding),
    batchEmbedContents: (exchange) => serve(exchange, geminiBatchEmbedding),
  };
}
