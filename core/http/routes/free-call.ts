import type { IncomingMessage } from 'node:http';
import { jsonHeaders } from '../../relay/deliver/respond.ts';
import type { CountCall } from '../../relay/free-call/count-call.ts';
import type { FreeCalls } from '../../relay/free-call/free-call.ts';
import type { StoredResponseCall } from '../../relay/stored-response/stored-response-call.ts';
import type { CallerService } from '../../services/caller.ts';
import { anthropicCount, type CountProtocol, geminiCount } from '../../wire/count-protocol.ts';
import { readModel } from '../../wire/request-field.ts';
import { callCredentialOf } from '../relay/credential.ts';
import { type RelayBodyLimits, readRelayBody } from '../relay/relay-body.ts';
import { openRelayCall, type RelayEntry, sendRelayError } from '../relay/relay-call.ts';
import type { RawExchange, RawRoute } from '../route.ts';
import type { GeminiActions } from './gemini.ts';

export interface FreeCallRouteDependencies {
  freeCalls: FreeCalls;
  tokenCount: { count(asked: CountCall): Promise<Record<string, unknown>> };
  storedResponseCalls: { serve(asked: StoredResponseCall): Promise<void> };
  callers: CallerService;
  bodyLimits: RelayBodyLimits;
  addressOf(incoming: IncomingMessage): string;
}

/** Calls of the relay that cost nothing: how long a prompt is, and what an upstream keeps of its responses. */
export function createFreeCallRoutes(dependencies: FreeCallRouteDependencies): {
  routes: RawRoute[];
  geminiActions: GeminiActions;
} {
  const { freeCalls, tokenCount, storedResponseCalls, callers, bodyLimits, addressOf } = dependencies;

  type Work = Parameters<FreeCalls['serve']>[2];
  type Open = RelayEntry & { caller: CountCall['call']['caller'] };

  async function serve(exchange: RawExchange, what: string, workOf: (call: Open) => Work): Promise<void> {
    const { incoming } = exchange;
    const entry = openRelayCall(exchange);
    try {
      const caller = await callers.authenticate(callCredentialOf(incoming), addressOf(incoming));
      const call = { ...entry, caller };
      await freeCalls.serve(call, what, workOf(call));
    } catch (error) {
      sendRelayError(entry, incoming, error);
    }
  }

  function count(exchange: RawExchange, protocol: CountProtocol): Promise<void> {
    return serve(exchange, 'count', (call) => async (client) => {
      const body = await readRelayBody(exchange.incoming, 'json', bodyLimits);
      try {
        const model = protocol.name === 'gemini' ? (call.pathModel ?? '') : readModel(body.fields, undefined);
        const bytes = Buffer.from(JSON.stringify(await tokenCount.count({ call, protocol, model, body, client })));
        client.respond(200, jsonHeaders(call.id, bytes.length), bytes);
      } finally {
        await body.dispose();
      }
    });
  }

  function stored(method: StoredResponseCall['method'], tail = ''): RawRoute {
    return {
      method,
      path: `/v1/responses/:id${tail}`,
      access: 'key',
      serve(exchange) {
        const { id = '' } = exchange.params;
        // A body means nothing here, and would be taken for the next call.
        exchange.incoming.resume();
        return serve(
          exchange,
          'stored response',
          (call) => (client) => storedResponseCalls.serve({ call, id, method, tail, client }),
        );
      },
    };
  }

  return {
    routes: [
      {
        method: 'POST',
        path: '/v1/messages/count_tokens',
        access: 'key',
        serve: (call) => count(call, anthropicCount),
      },
      stored('GET'),
      stored('DELETE'),
      stored('GET', '/input_items'),
      stored('POST', '/cancel'),
    ],
    geminiActions: { countTokens: (exchange) => count(exchange, geminiCount) },
  };
}
