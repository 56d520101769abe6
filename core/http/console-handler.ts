import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { asOutage } from '../database/outage.ts';
import { AppError } from '../errors/app-error.ts';
import { ok } from './envelope.ts';
import type { Guard } from './guard.ts';
import { preferredLanguage } from './language.ts';
import { requireLocalName } from './local-name.ts';
import { parseInput } from './parse-input.ts';
import type { ConsoleCall, ConsoleRoute, RateClass } from './route.ts';
import { sessionIdOf } from './session-cookie.ts';

export interface ConsoleHandlerDependencies {
  guard: Guard;
  addressOf(incoming: IncomingMessage): string;
  /** Counts the call; throws a 429 error when the address has made too many. */
  countCall(rate: RateClass, address: string): Promise<void>;
  /** Root still has the default password. */
  isOpen(): Promise<boolean>;
}

/** What stands between the socket and a route's handler, in this order: count, guard, check what was sent. */
export function createConsoleHandler({ guard, addressOf, countCall, isOpen }: ConsoleHandlerDependencies) {
  return (route: ConsoleRoute) => {
    const serve = (request: FastifyRequest, reply: FastifyReply) => serveRoute(route, request, reply);
    const { failureText } = route;
    if (failureText === undefined) return serve;
    return (request: FastifyRequest, reply: FastifyReply) =>
      serve(request, reply).catch((error: unknown) => {
        // Whoever waits for one word is told to come again; what nobody expected is still written to the log.
        if (error instanceof AppError || asOutage(error)) return failureText;
        throw error;
      });
  };

  async function serveRoute(route: ConsoleRoute, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const address = addressOf(request.raw);
    const { headers } = request;
    const language = preferredLanguage(headers['accept-language'], 'zh');
    await countCall(route.rate, address);
    if (route.path.startsWith('/api/')) await requireLocalName(headers.host, isOpen);
    const actor = await guard.admit(route.access, headers, address);
    const call: ConsoleCall = {
      actor,
      params: parseInput(route.params, request.params, language),
      query: parseInput(route.query, singleValues(request.query), language),
      body:
        route.body === undefined
          ? undefined
          : parseInput(route.body, bodyOf(route, request), language, route.strictBody ? 'body.invalid' : undefined),
      caller: { address, userAgent: headers['user-agent'] ?? '' },
      language,
      sessionId: sessionIdOf(headers),
      visitor: () => guard.visitor(headers, address),
      headers,
      reply,
    };
    const result = await route.handle(call as ConsoleCall<never, never, never>);
    if (route.answer.kind === 'data') return ok(result ?? null);
    return route.answer.kind === 'empty' ? ok() : result;
  }
}

const bodyOf = ({ isForm }: ConsoleRoute, { body }: FastifyRequest): unknown =>
  isForm ? singleValues(body ?? {}) : body;

/** One value for each name, in a query or a form: which of two would count is anybody's guess. */
function singleValues(query: unknown): Record<string, string> {
  const values: Record<string, string> = Object.create(null);
  for (const [name, value] of Object.entries(query as Record<string, unknown>)) {
    if (typeof value !== 'string') throw new AppError('query.repeated', { name: name.slice(0, 50) });
    values[name] = value;
  }
  return values;
}
