import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Who may call a route; read by the server for each call and by the tests for the matrix of rights. */
export type RouteAccess = 'public' | 'key' | 'session' | 'user' | 'admin' | 'root';

interface AnyRoute {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** In fastify's spelling (`:id`). */
  path: string;
  access: RouteAccess;
}

/** A console call: the framework reads its body and writes its answer. */
export interface ConsoleRoute extends AnyRoute {
  /** Largest body in bytes. */
  bodyLimit?: number;
  handler(request: FastifyRequest, reply: FastifyReply): unknown;
}

/** The raw exchange, with the parameters of the path. */
export interface RawExchange {
  incoming: IncomingMessage;
  outgoing: ServerResponse;
  params: Readonly<Record<string, string>>;
}

/** A relay call: the handler reads the socket itself, after the key is known, and answers on it. Never rejects. */
export interface RawRoute extends AnyRoute {
  serve(exchange: RawExchange): Promise<void> | void;
}

/** A route as its file lists it; a route the server offers stands in exactly one such list. */
export type Route = ConsoleRoute | RawRoute;
