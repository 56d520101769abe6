import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ProtocolName } from '../../canonical/request.ts';
import { AppError } from '../../errors/app-error.ts';
import type { Protocol } from '../../protocols/protocol.ts';
import { protocols } from '../../protocols/registry.ts';
import type { Relay } from '../../relay/relay.ts';
import type { CallerService } from '../../services/caller.ts';
import { credentialOf } from '../credential.ts';
import { type RelayBodyLimits, readRelayBody } from '../relay-body.ts';
import { answerRelayError, openRelayCall } from '../relay-call.ts';
import type { Route } from '../route.ts';

export interface RelayRouteDependencies {
  relay: Relay;
  callers: CallerService;
  bodyLimits: RelayBodyLimits;
  addressOf(request: FastifyRequest): string;
}

/** One line per path. */
const paths: [path: string, protocol: ProtocolName][] = [
  ['/v1/chat/completions', 'openai-chat'],
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
const notOffered: [method: Route['method'], path: string][] = [
  ['POST', '/v1/edits'],
  ['POST', '/v1/images/variations'],
  ...(['GET', 'POST', 'DELETE'] as const).flatMap((method): [Route['method'], string][] =>
    ['files', 'fine-tunes', 'fine_tuning', 'batches', 'assistants', 'threads', 'vector_stores', 'uploads'].flatMap(
      (name): [Route['method'], string][] => [
        [method, `/v1/${name}`],
        [method, `/v1/${name}/*`],
      ],
    ),
  ),
  ['DELETE', '/v1/models/:model'],
];

export function relayRoutes({ relay, callers, bodyLimits, addressOf }: RelayRouteDependencies): Route[] {
  async function serve(request: FastifyRequest, reply: FastifyReply, protocol: Protocol): Promise<void> {
    const entry = openRelayCall(request, reply);
    try {
      const caller = await callers.authenticate(credentialOf(request.headers), addressOf(request));
      const readBody = () => readRelayBody(request.raw, protocol.body, bodyLimits);
      await relay.serve({ ...entry, protocol, caller, readBody });
    } catch (error) {
      answerRelayError(entry, request, error);
    }
  }

  return [
    ...paths.map(
      ([path, name]): Route => ({
        method: 'POST',
        path,
        access: 'key',
        raw: true,
        handler: (request, reply) => serve(request, reply, protocols[name]),
      }),
    ),
    ...notOffered.map(
      ([method, path]): Route => ({
        method,
        path,
        access: 'public',
        raw: true,
        handler: (request, reply) =>
          answerRelayError(openRelayCall(request, reply), request, new AppError('route.notOffered')),
      }),
    ),
  ];
}
