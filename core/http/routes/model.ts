import type { IncomingMessage } from 'node:http';
import { AppError } from '../../errors/app-error.ts';
import { modelObject } from '../../protocols/openai-models.ts';
import type { Caller, CallerService } from '../../services/caller.ts';
import type { Routing } from '../../services/routing.ts';
import { credentialOf } from '../credential.ts';
import { answerRelayError, openRelayCall, sendJson } from '../relay-call.ts';
import type { RawExchange, RawRoute } from '../route.ts';

interface ModelRouteDependencies {
  callers: CallerService;
  routing: Routing;
  addressOf(incoming: IncomingMessage): string;
}

export function modelRoutes({ callers, routing, addressOf }: ModelRouteDependencies): RawRoute[] {
  /** The token's own limits when it has some, else what its group is served. */
  function modelsOf(caller: Caller): string[] {
    return caller.modelLimits ? [...caller.modelLimits].sort() : routing.models(caller.group);
  }

  function route(path: string, read: (models: string[], params: RawExchange['params']) => unknown): RawRoute {
    const serve = async (exchange: RawExchange) => {
      const { incoming, params } = exchange;
      const entry = openRelayCall(exchange);
      try {
        const caller = await callers.authenticate(credentialOf(incoming.headers), addressOf(incoming));
        sendJson(entry, read(modelsOf(caller), params));
      } catch (error) {
        answerRelayError(entry, incoming, error);
      }
    };
    return { method: 'GET', path, access: 'key', serve };
  }

  return [
    route('/v1/models', (models) => ({ success: true, object: 'list', data: models.map(modelObject) })),
    route('/v1/models/:model', (models, { model = '' }) => {
      if (!models.includes(model)) throw new AppError('model.notFound', { model }, { param: 'model' });
      return modelObject(model);
    }),
  ];
}
