import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../errors/app-error.ts';
import { modelObject } from '../../protocols/openai-models.ts';
import type { Caller, CallerService } from '../../services/caller.ts';
import type { Routing } from '../../services/routing.ts';
import { credentialOf } from '../credential.ts';
import { answerRelayError, openRelayCall, sendJson } from '../relay-call.ts';
import type { Route } from '../route.ts';

interface ModelRouteDependencies {
  callers: CallerService;
  routing: Routing;
  addressOf(request: FastifyRequest): string;
}

export function modelRoutes({ callers, routing, addressOf }: ModelRouteDependencies): Route[] {
  /** The token's own limits when it has some, else what its group is served. */
  function modelsOf(caller: Caller): string[] {
    return caller.modelLimits ? [...caller.modelLimits].sort() : routing.models(caller.group);
  }

  function route(path: string, read: (models: string[], request: FastifyRequest) => unknown): Route {
    const handler = async (request: FastifyRequest, reply: FastifyReply) => {
      const entry = openRelayCall(request, reply);
      try {
        const caller = await callers.authenticate(credentialOf(request.headers), addressOf(request));
        sendJson(entry, read(modelsOf(caller), request));
      } catch (error) {
        answerRelayError(entry, request, error);
      }
    };
    return { method: 'GET', path, access: 'key', raw: true, handler };
  }

  return [
    route('/v1/models', (models) => ({ success: true, object: 'list', data: models.map(modelObject) })),
    route('/v1/models/:model', (models, request) => {
      const { model } = request.params as { model: string };
      if (!models.includes(model)) throw new AppError('model.notFound', { model }, { param: 'model' });
      return modelObject(model);
    }),
  ];
}
