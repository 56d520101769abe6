import type { IncomingMessage } from 'node:http';
import { AppError } from '../../errors/app-error.ts';
import type { Caller, CallerService } from '../../services/caller.ts';
import type { Routing } from '../../services/routing.ts';
import { type DialectName, dialectOf } from '../../wire/error-dialect.ts';
import { anthropicModel, anthropicModelPage } from '../../wire/model-list/anthropic.ts';
import { cohereModel, cohereModelPage } from '../../wire/model-list/cohere.ts';
import { geminiModel, geminiModelPage } from '../../wire/model-list/gemini.ts';
import { callCredentialOf } from '../relay/credential.ts';
import { modelObject } from '../relay/model-object.ts';
import { openRelayCall, sendJson, sendRelayError } from '../relay/relay-call.ts';
import { pathOf, queryOf } from '../request-path.ts';
import type { RawExchange, RawRoute } from '../route.ts';

interface ModelRouteDependencies {
  callers: CallerService;
  routing: Routing;
  addressOf(incoming: IncomingMessage): string;
}

/** How each vendor's SDK reads a list and one model. */
interface ModelDialect {
  list(ids: readonly string[], query: URLSearchParams): unknown;
  one(id: string): unknown;
}

const dialects: Readonly<Record<DialectName, ModelDialect>> = {
  // `success` is what older consoles of this family look for.
  openai: { list: (ids) => ({ success: true, object: 'list', data: ids.map(modelObject) }), one: modelObject },
  anthropic: { list: anthropicModelPage, one: anthropicModel },
  gemini: { list: geminiModelPage, one: geminiModel },
  cohere: { list: cohereModelPage, one: cohereModel },
};

export function modelRoutes({ callers, routing, addressOf }: ModelRouteDependencies): RawRoute[] {
  /** The token's own limits when it has some, else what its group is served. */
  function modelsOf(caller: Caller): string[] {
    return caller.modelLimits ? [...caller.modelLimits].sort() : routing.models(caller.group);
  }

  async function serve(exchange: RawExchange): Promise<void> {
    const { incoming, params } = exchange;
    const entry = openRelayCall(exchange);
    try {
      const caller = await callers.authenticate(callCredentialOf(incoming), addressOf(incoming));
      const models = modelsOf(caller);
      const dialect = dialects[dialectOf(pathOf(incoming), incoming.headers, queryOf(incoming))];
      const model = params['*'];
      if (model !== undefined && !models.includes(model))
        throw new AppError('model.notFound', { model }, { param: 'model' });
      sendJson(entry, model === undefined ? dialect.list(models, entry.query) : dialect.one(model));
    } catch (error) {
      sendRelayError(entry, incoming, error);
    }
  }

  // Google's SDKs write a model's name into the path as it is, slashes included.
  const paths = ['/v1/models', '/v1beta/models', '/v1alpha/models', '/v1beta/openai/models'];
  return paths.flatMap((path) => [path, `${path}/*`]).map((path) => ({ method: 'GET', path, access: 'key', serve }));
}
