import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { asOutage } from '../../database/outage.ts';
import { AppError } from '../../errors/app-error.ts';
import type { Actor } from '../../schemas/actor.ts';
import { deviceOf } from '../cookie/device-cookie.ts';
import { sessionIdOf } from '../cookie/session-cookie.ts';
import type { Guard } from '../guard.ts';
import { preferredLanguage } from '../language.ts';
import { requireLocalCall } from '../local-call.ts';
import type { KnownCallers } from '../relay/known-caller.ts';
import type { ConsoleCall, ConsoleRoute, RateClass } from '../route.ts';
import { ok } from './envelope.ts';
import { parseInput } from './parse-input.ts';

export interface ConsoleHandlerDependencies {
  guard: Guard;
  knownCallers: KnownCallers;
  addressOf(incoming: IncomingMessage): string;
  /** Counts the call for the user, if one is known, else for the address; throws a 429 error when it has made too many. */
  countCall(rate: RateClass, address: string, userId?: number): Promise<void>;
  /** Root still has the default password. */
  isOpen(): Promise<boolean>;
}

/** A console call whose caller is known, and whose body is not read yet. */
interface Admitted {
  actor: Actor;
  address: string;
}

/** What is between the socket and a route's handler, in this order: count, guard, read the body, check what was sent. */
export function createConsoleHandler(dependencies: ConsoleHandlerDependencies) {
  const { guard, knownCallers, addressOf, countCall, isOpen } = dependencies;
  const admitted = new WeakMap<FastifyRequest, Admitted>();

  return (route: ConsoleRoute) => {
    const { failureText } = route;
    const onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
      try {
        admitted.set(request, await admit(route, request));
      } catch (error) {
        if (failureText === undefined || !isRefusal(error)) throw error;
        return reply.send(failureText);
      }
    };
    const handler = (request: FastifyRequest, reply: FastifyReply) => serveRoute(route, request, reply);
    if (failureText === undefined) return { onRequest, handler };
    return {
      onRequest,
      handler: (request: FastifyRequest, reply: FastifyReply) =>
        handler(request, reply).catch((error: unknown) => {
          // A caller waiting for a single reply is told to retry; unexpected errors are still logged.
          if (isRefusal(error)) return failureText;
          throw error;
        }),
    };
  };

  async function admit(route: ConsoleRoute, { raw, headers }: FastifyRequest): Promise<Admitted> {
    const address = addressOf(raw);
    await countCall(route.rate, address, knownCallers.userOf(headers));
    if (route.path.startsWith('/api/')) await requireLocalCall(headers, isOpen);
    try {
      const actor = await guard.admit(route.access, headers, address);
      if (actor.id > 0) knownCallers.remember(headers, actor.id);
      return { actor, address };
    } catch (error) {
      if (error instanceof AppError && error.status === 401) knownCallers.forget(headers);
      throw error;
    }
  }

  async function serveRoute(route: ConsoleRoute, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const { actor, address } = admitted.get(request) ?? (await admit(route, request));
    const { headers } = request;
    const language = preferredLanguage(headers['accept-language'], 'zh');
    const call: ConsoleCall = {
      actor,
      params: parseInput(route.params, request.params),
      query: parseInput(route.query, singleValues(request.query)),
      body: readBody(route, request),
      caller: { address, userAgent: headers['user-agent'] ?? '', device: deviceOf(headers) },
      language,
      sessionId: sessionIdOf(headers),
      visitor: () => guard.visitor(headers, address),
      headers,
      reply,
    };
    const result = await route.handle(call as ConsoleCall<never, never, never>);
    if (route.response.kind === 'data') return ok(result ?? null);
    return route.response.kind === 'empty' ? ok() : result;
  }
}

const isRefusal = (error: unknown) => error instanceof AppError || asOutage(error) !== undefined;

function readBody({ body: schema, isForm, strictBody }: ConsoleRoute, { body }: FastifyRequest): unknown {
  if (schema === undefined) return undefined;
  if (isForm) return parseInput(schema, singleValues(body ?? {}));
  if (body === undefined && !schema.safeParse(undefined).success) throw new AppError('body.empty');
  return parseInput(schema, body, strictBody ? 'body.invalid' : undefined);
}

/** One value for each name, in a query or a form: it would be unclear which of two counts. */
function singleValues(query: unknown): Record<string, string> {
  const values: Record<string, string> = Object.create(null);
  for (const [name, value] of Object.entries(query as Record<string, unknown>)) {
    if (typeof value !== 'string') throw new AppError('query.repeated', { name: name.slice(0, 50) });
    // Of a form; an address that holds one was refused before.
    if (value.includes('\0') || name.includes('\0')) throw new AppError('query.nul');
    values[name] = value;
  }
  return values;
}
