import type { FastifyReply, FastifyRequest } from 'fastify';

/** Who may call a route; read by the server for each call and by the tests for the matrix of rights. */
export type RouteAccess = 'public' | 'key' | 'session' | 'user' | 'admin' | 'root';

/** A route as its file lists it; a route the server offers stands in exactly one such list. */
export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** In fastify's spelling (\`:id\`); console routes with an id are offered with and without trailing slash. */
  path: string;
  access: RouteAccess;
  /** Largest body in bytes; relay routes read their own. */
  bodyLimit?: number;
  /** The handler reads the raw request itself and answers on the raw response. */
  raw?: boolean;
  handler(request: FastifyRequest, reply: FastifyReply): unknown;
}
