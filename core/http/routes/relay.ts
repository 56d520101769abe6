import type { IncomingMessage } from 'node:http';
import type { ProtocolName } from '../../canonical/request.ts';
import { AppError } from '../../errors/app-error.ts';
import type { Protocol } from '../../protocols/protocol.ts';
import { protocols } from '../../protocols/registry.ts';
import type { Relay } from '../../relay/relay.ts';
import type { CallerService } from '../../services/caller.ts';
import { credentialOf } from '../credential.ts';
import { type RelayBodyLimits, readRelayBody } from '../relay-body.ts';
import { answerRelayError, openRelayCall } from '../relay-call.ts';
import type { RawExchange, RawRoute } from '../route.ts';
import { geminiChatActions, geminiRoutes } from './gemini.ts';

export interface RelayRouteDependencies {
  relay: Relay;
  callers: CallerService;
  bodyLimits: RelayBodyLimits;
  addressOf(incoming: IncomingMessage): string;
}

/** One line per path. */
const paths: [path: string, protocol: ProtocolName][] = [
  ['/v1/chat/completions', 'openai-chat'],
  ['/v1/responses', 'openai-responses'],
  ['/v1/messages', 'anthropic-messages'],
  ['/v1/completions', 'openai-completion'],
  ['/v1/embeddings', 'openai-embedding'],
  ['/v1/engines/:model/embeddings', 'openai-embedding'],
  ['/v1/moderations', 'openai-moderation'],
  ['/v1/images/generations', 'openai-image'],
  ['/v1/images/edits', 'openai-image-edit'],
  ['/v1/audio/speech', 'openai-speech'],
  ['/v1/audio/transcriptions', 'openai-transcription'],
  ['/v1/audio/translations', 'openai-translation'],
];

/** Known to OpenAI's SDKs, not offered here: said so at once, with a key or without a channel. */
const notOffered: [method: RawRoute['method'], path: string][] = [
  ['POST', '/v1/edits'],
  ['POST', '/v1/images/variations'],
  ...(['GET', 'POST', 'DELETE'] as const).flatMap((method): [RawRoute['method'], string][] =>
    ['files', 'fine-tunes', 'fine_tuning', 'batches', 'assistants', 'threads', 'vector_stores', 'uploads'].flatMap(
      (name): [RawRoute['method'], string][] => [
        [method, `/v1/${name}`],
        [method, `/v1/${name}/*`],
      ],
    ),
  ),
  ['DELETE', '/v1/models/:model'],
];

export function relayRoutes({ relay, callers, bodyLimits, addressOf }: RelayRouteDependencies): RawRoute[] {
  async function serve(exchange: RawExchange, protocol: Protocol): Promise<void> {
    const { incoming } = exchange;
    const entry = openRelayCall(exchange);
    try {
      const caller = await callers.authenticate(credentialOf(incoming.headers), addressOf(incoming));
      const readBody = () => readRelayBody(incoming, protocol.body, bodyLimits);
      // It never rejects, so nobody waits for it here.
      void relay.serve({ ...entry, protocol, caller, readBody });
    } catch (error) {
      answerRelayError(entry, incoming, error);
    }
  }

  return [
    ...paths.map(
      ([path, name]): RawRoute => ({
        method: 'POST',
        path,
        access: 'key',
        serve: (exchange) => serve(exchange, protocols[name]),
      }),
    ),
    ...geminiRoutes(geminiChatActions(serve)),
    ...notOffered.map(
      ([method, path]): RawRoute => ({
        method,
        path,
        access: 'public',
        serve: (exchange) =>
          answerRelayError(openRelayCall(exchange), exchange.incoming, new AppError('route.notOffered')),
      }),
    ),
  ];
}
