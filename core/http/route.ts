import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import type { Language } from '../errors/app-error.ts';
import type { Actor } from '../schemas/actor.ts';

/**
 * Who may call a route; read by the server for each call and by the tests for the matrix of rights. `key`, `session` and `metrics`
 * are checked by the handler: an API key; the cookie alone, because a browser that follows a link sends no header; the metrics token
 * or this very machine.
 */
export type RouteAccess = 'public' | 'key' | 'session' | 'metrics' | 'user' | 'admin' | 'root';

/** Which counter a call is taken from (console reference, 2.5); `web` for pages, `none` for health checks and everything the relay limits itself. */
export type RateClass = 'api' | 'critical' | 'web' | 'none';

interface AnyRoute {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** In fastify's spelling (`:id`). A trailing slash makes no difference. */
  path: string;
  access: RouteAccess;
}

/** What a console handler knows about the call it serves. */
export interface ConsoleCall<P = unknown, Q = unknown, B = unknown> {
  /** The caller who passed the guard of the route; the guest on public routes. */
  actor: Actor;
  params: P;
  query: Q;
  body: B;
  caller: { address: string; userAgent: string; device: string | undefined };
  language: Language;
  /** The secret of the session cookie, whether or not it is still good. */
  sessionId: string | undefined;
  /** On public routes: the user of the session, if there is one. */
  visitor(): Promise<Actor | undefined>;
  headers: IncomingHttpHeaders;
  /** For cookies and redirects; a handler that has sent the response itself returns the reply. */
  reply: FastifyReply;
}

/** The shape of a successful response: the envelope around `data`, a body of its own, or no JSON at all. */
export type RouteResponse =
  | { kind: 'data'; schema: z.ZodType }
  | { kind: 'empty' }
  | { kind: 'whole'; schema: z.ZodType }
  | { kind: 'text' }
  | { kind: 'redirect' };

export const responses = {
  /** `{success, message, data}`; the handler returns the data. */
  data: (schema: z.ZodType): RouteResponse => ({ kind: 'data', schema }),
  /** `{success, message}`; what the handler returns is dropped. */
  empty: { kind: 'empty' } as RouteResponse,
  /** The handler returns the whole body. */
  whole: (schema: z.ZodType): RouteResponse => ({ kind: 'whole', schema }),
  text: { kind: 'text' } as RouteResponse,
  redirect: { kind: 'redirect' } as RouteResponse,
};

/** In words: the `objects` of `text/en/route/objects.json`. */
export type ObjectScope =
  | 'own'
  | 'ownOrAdmin'
  | 'lowerRole'
  | 'lowerRoleOrRoot'
  | 'unused'
  | 'keyInHeader'
  | 'keyInQuery';

interface ConsoleRouteInput<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType> extends AnyRoute {
  /** Which objects the caller reaches, where the role alone does not say. */
  objects?: ObjectScope;
  rate?: RateClass;
  /** Largest body in bytes, 64 KiB when left out. */
  bodyLimit?: number;
  params?: P;
  query?: Q;
  body?: B;
  /** A body of another shape is HTTP 400, where consoles know it so or a batch is at stake; elsewhere it is HTTP 200 with success false. */
  strictBody?: boolean;
  /** The body is a form (`application/x-www-form-urlencoded`) instead of JSON. */
  isForm?: boolean;
  response: RouteResponse;
  /** Stands for every refusal, as plain text: payment services know no envelope. */
  failureText?: string;
  /** The response contains a whole key, code or password: it is never packed. */
  showsSecret?: boolean;
  handle(call: ConsoleCall<z.output<P>, z.output<Q>, z.output<B>>): unknown;
}

/** A console call: the server checks who calls and what is sent, the handler makes one call to a service. */
export interface ConsoleRoute extends AnyRoute {
  objects: ObjectScope | undefined;
  rate: RateClass;
  bodyLimit: number;
  params: z.ZodType;
  query: z.ZodType;
  body: z.ZodType | undefined;
  strictBody?: boolean;
  isForm?: boolean;
  response: RouteResponse;
  failureText?: string;
  showsSecret?: boolean;
  handle(call: ConsoleCall<never, never, never>): unknown;
}

const nothing = z.object({});
/** Of a route that says nothing else. */
const consoleBodyBytes = 64 * 1024;

export function consoleRoute<
  P extends z.ZodType = typeof nothing,
  Q extends z.ZodType = typeof nothing,
  B extends z.ZodType = typeof nothing,
>(route: ConsoleRouteInput<P, Q, B>): ConsoleRoute {
  const { params = nothing, query = nothing, body, objects, rate = 'api', bodyLimit = consoleBodyBytes } = route;
  return { ...route, params, query, body, objects, rate, bodyLimit };
}

/** The raw exchange, with the parameters of the path. */
export interface RawExchange {
  incoming: IncomingMessage;
  outgoing: ServerResponse;
  /** Security headers that the response still needs, names and values in turn; empty where they are set already. */
  headers: readonly string[];
  params: Readonly<Record<string, string>>;
}

/** A relay call: the handler reads the socket itself, after the key is known, and responds on it. Never rejects. */
export interface RawRoute extends AnyRoute {
  serve(exchange: RawExchange): Promise<void> | void;
  /** Instead of `serve`, for a request that offers to go on as a WebSocket. Never rejects. */
  upgrade?(exchange: UpgradeExchange): Promise<void> | void;
}

/** A route as its file lists it; a route the server offers is in exactly one such list. */
export type Route = ConsoleRoute | RawRoute;

/** A connection about to leave HTTP for another protocol; nothing reads or responses it yet. */
export interface UpgradeExchange {
  incoming: IncomingMessage;
  socket: Socket;
  /** Bytes that came behind the request. */
  head: Buffer;
  /** What every response carries beside its own headers, names and values in turn. */
  headers: readonly string[];
}
