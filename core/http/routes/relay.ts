import type { IncomingMessage } from 'node:http';
import type { ProtocolName } from '../../canonical/request.ts';
import type { Relay } from '../../relay/relay.ts';
import type { CallerService } from '../../services/caller.ts';
import { hasCallObjects, type Protocol } from '../../wire/protocol.ts';
import { protocols } from '../../wire/registry.ts';
import { callCredentialOf } from '../relay/credential.ts';
import { type RelayBodyLimits, readRelayBody } from '../relay/relay-body.ts';
import { openRelayCall, relayCall, sendRelayError } from '../relay/relay-call.ts';
import type { RawExchange, RawRoute } from '../route.ts';
import { deploymentRoutes } from './deployment.ts';
import { type GeminiActions, geminiRelayActions, geminiRoutes } from './gemini.ts';

export interface RelayRouteDependencies {
  relay: Relay;
  callers: CallerService;
  bodyLimits: RelayBodyLimits;
  addressOf(incoming: IncomingMessage): string;
  /** Calls under Google's paths that the relay itself does not serve. */
  geminiActions: GeminiActions;
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
  ['/v1/rerank', 'rerank'],
  ['/rerank', 'rerank'],
  ['/v2/rerank', 'cohere-rerank'],
];

export function relayRoutes(dependencies: RelayRouteDependencies): RawRoute[] {
  const { relay, callers, bodyLimits, addressOf, geminiActions } = dependencies;
  const limitsWithoutCalls = { ...bodyLimits, hasCallObjects: false };

  async function serve(exchange: RawExchange, protocol: Protocol): Promise<void> {
    const { incoming } = exchange;
    const entry = openRelayCall(exchange);
    try {
      const caller = await callers.authenticate(callCredentialOf(incoming), addressOf(incoming));
      const limits = hasCallObjects(protocol) ? bodyLimits : limitsWithoutCalls;
      const readBody = () => readRelayBody(incoming, protocol.body, limits);
      // It never rejects, so it is not awaited here.
      void relay.serve(relayCall(entry, protocol, caller, readBody));
    } catch (error) {
      sendRelayError(entry, incoming, error);
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
    ...deploymentRoutes(serve),
    ...geminiRoutes({ ...geminiRelayActions(serve), ...geminiActions }),
  ];
}
