import type { IncomingMessage } from 'node:http';
import { parse as parseForm } from 'node:querystring';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { newRequestId } from '../lib/request-id.ts';
import { isLongBody } from '../relay/deliver/client-writer.ts';
import { taskErrorsOf } from '../wire/task-path.ts';
import { baseHeaders } from './base-headers.ts';
import { hasBody } from './body/receive-body.ts';
import { respondToClientError } from './client-error.ts';
import { busyPage, isNavigation } from './console/busy-page.ts';
import { compressResponse, isCompressible } from './console/compress.ts';
import { parseConsoleBody, readConsoleBody } from './console/console-body.ts';
import { type ConsoleHandlerDependencies, createConsoleHandler } from './console/console-handler.ts';
import type { Dashboard } from './console/dashboard.ts';
import { envelopeError, toAppError } from './console/envelope.ts';
import { preferredLanguage } from './language.ts';
import { createLeave } from './leave.ts';
import { createNodeServer, directRoutes } from './node-server.ts';
import { openRelayCall, sendRelayError } from './relay/relay-call.ts';
import { createUpgrades } from './relay/upgrade.ts';
import { pathOf } from './request-path.ts';
import type { ConsoleRoute, RawExchange, RawRoute, Route } from './route.ts';
import { refuseUnfit } from './unfit-request.ts';
import { respondToUnknownRelayPath, unknownPathBody } from './unknown-path.ts';

export interface HttpServerDependencies extends ConsoleHandlerDependencies {
  routes: Route[];
  onError(error: unknown, request: { id: string; method: string; path: string }): void;
  /** Each response the framework gave; `route` as it is listed, '' for an unknown one. */
  onResponse?(method: string, route: string, status: number): void;
  /** Before the response of a call that may have changed something: brings this process's memory up to date. */
  afterWrite(): Promise<void>;
  /** Pages and their files; undefined while they are not built. */
  dashboard?: Dashboard | undefined;
  /** Peers that are not counted against the sockets of one address. */
  isProxy(address: string): boolean;
  /** Whether the public address says https. */
  isSecure(): boolean;
  /** Time for a console body of no bytes; 30 s when left out. */
  bodyTimeMs?: number | undefined;
}

export interface HttpServer {
  fastify: FastifyInstance;
  /** Resolves with the port in use. */
  listen(host: string, port: number): Promise<number>;
  /** Each connection ends with the response that is next on it. */
  keepNoConnection(): void;
  /** Takes no new connections; calls on those that are there are served, and end them. */
  refuseConnections(): void;
  /** Takes no new connections and ends the idle ones. */
  stopListening(): void;
  close(): Promise<void>;
}

const lastReadMs = 2000;
/** Zod checks what comes in and writes what goes out: Fastify's own way, which takes memory, stays out of the program. */
const noCompiler = () => {
  throw new Error('a route of the console is checked by its own schema, not by one of Fastify');
};
const noCompilers = { buildValidator: noCompiler, buildSerializer: noCompiler };
const formType = 'application/x-www-form-urlencoded';
const protocolPath = /^\/(v1|v2|v1alpha|v1beta1?|upload\/v1(alpha|beta)?|openai\/deployments|pg|dashboard)\//;

export function createHttpServer(dependencies: HttpServerDependencies): HttpServer {
  const { routes, onError, onResponse, afterWrite, dashboard, isProxy, isSecure } = dependencies;
  const raw = routes.filter((route) => 'serve' in route);
  const direct = directRoutes(raw.filter((route) => !hasParams(route)));
  const leave = createLeave();
  const upgrades = createUpgrades(routes, (incoming) => baseHeaders(incoming, isSecure()));
  const app = fastify({
    logger: false,
    schemaController: { compilersFactory: noCompilers },
    genReqId: () => newRequestId(),
    // Of a whole request; relay bodies have a clock of their own that grows with their size.
    requestTimeout: 900_000,
    keepAliveTimeout: 60_000,
    routerOptions: { maxParamLength: 256, ignoreDuplicateSlashes: false, ignoreTrailingSlash: true },
    forceCloseConnections: 'idle',
    // Paths that cannot be decoded, or whose parameters are too long.
    frameworkErrors: (_error, request, reply) => respondNotFound(request, reply),
    clientErrorHandler: respondToClientError,
    serverFactory: (handler) => createNodeServer({ leave, upgrades, direct, isProxy, isSecure }, handler),
  });

  dashboard?.register(app);
  refuseUnlisted(app, routes);
  app.addHook('onRequest', async ({ raw }) => refuseUnfit(raw));
  const consoleRoutes = routes.filter((route) => 'handle' in route);
  addConsoleRoutes(app, consoleRoutes, dependencies);
  addRawRoutes(app, raw.filter(hasParams));
  app.addHook('onSend', async (request, reply) => {
    reply.header('x-request-id', request.id);
    reply.header('x-oneapi-request-id', request.id);
    // What is not worth reading is not read.
    if (!request.raw.complete && isLongBody(request.headers)) reply.header('connection', 'close');
    if (request.method !== 'GET' && request.method !== 'HEAD') await afterWrite();
  });
  app.addHook('onResponse', async ({ method, routeOptions }, { statusCode }) =>
    onResponse?.(method, routeOptions.url ?? '', statusCode),
  );
  const formPaths = new Set(consoleRoutes.filter(({ isForm }) => isForm).map(({ path }) => path));
  app.setErrorHandler((error, request, reply) => {
    const path = pathOf(request.raw);
    const known = toAppError(error, formPaths.has(request.routeOptions.url ?? '') ? formType : undefined);
    // What a caller sent wrong is no error of ours, also where the framework has seen it.
    if (known !== error && known.status >= 500) onError(error, { id: request.id, method: request.method, path });
    // Refused by the framework before the relay's own handler saw the call.
    if (isRelayPath(path)) return sendRelayError(openRelayCall(exchangeOf(request, reply)), request.raw, known);
    const language = preferredLanguage(request.headers['accept-language'], 'zh');
    const isPage = known.status === 429 && isNavigation(request.method, request.headers);
    const { status, headers, body } = isPage ? busyPage(known, language) : envelopeError(known, language);
    reply.code(status).headers(headers).send(body);
  });
  app.setNotFoundHandler(async (request, reply) => {
    if (!(await dashboard?.send(request.raw, reply))) respondNotFound(request, reply);
    return reply;
  });

  return {
    fastify: app,
    async listen(host, port) {
      await app.listen({ host, port });
      const address = app.server.address();
      return typeof address === 'object' && address ? address.port : port;
    },
    keepNoConnection: () => leave.begin(app.server),
    refuseConnections: () => leave.refuse(app.server),
    stopListening() {
      app.server.close();
      app.server.closeIdleConnections();
    },
    async close() {
      const closed = app.close();
      // No call is under way any more. A client that connected and says nothing counts as busy and would keep us forever; one
      // that is still reading its last bytes gets a moment.
      const lastCall = setTimeout(() => {
        app.server.closeAllConnections();
        upgrades.cutOff();
      }, lastReadMs);
      await closed;
      clearTimeout(lastCall);
    },
  };
}

/** Takes the raw response out of the framework's hands. */
function exchangeOf(request: FastifyRequest, reply: FastifyReply): RawExchange {
  reply.hijack();
  const params = (request.params ?? {}) as RawExchange['params'];
  return { incoming: request.raw, outgoing: reply.raw, headers: [], params };
}

function hasParams({ path }: RawRoute): boolean {
  return path.includes(':') || path.includes('*');
}

/** Where callers are programs with a key, who get responses in their own protocol. */
function isRelayPath(path: string): boolean {
  return protocolPath.test(path) || taskErrorsOf(path) !== undefined;
}

function respondNotFound(request: FastifyRequest, reply: FastifyReply): void {
  if (isRelayPath(pathOf(request.raw))) respondToUnknownRelayPath(exchangeOf(request, reply));
  else reply.code(404).send(unknownPathBody(request.raw));
}

function addConsoleRoutes(
  app: FastifyInstance,
  routes: readonly ConsoleRoute[],
  dependencies: Pick<HttpServerDependencies, 'bodyTimeMs'> & ConsoleHandlerDependencies,
): void {
  const handlerOf = createConsoleHandler(dependencies);
  const readBody = ({ routeOptions }: FastifyRequest, payload: IncomingMessage) =>
    readConsoleBody(payload, { bytes: routeOptions.bodyLimit ?? 0, timeMs: dependencies.bodyTimeMs });
  // A console call is JSON or it is refused.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', async (request: FastifyRequest, payload: IncomingMessage) =>
    // Scripts name the type on every call, also where nothing is to be sent.
    hasBody(payload) ? parseConsoleBody(await readBody(request, payload)) : undefined,
  );
  for (const route of routes) if (!route.isForm) addRoute(app, route, handlerOf(route));
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(formType, async (request: FastifyRequest, payload: IncomingMessage) =>
      hasBody(payload) ? parseForm((await readBody(request, payload)).toString('utf8')) : {},
    );
    for (const route of routes) if (route.isForm) addRoute(scope, route, handlerOf(route));
  });
}

/** Those with parameters in their path; the others are served below the framework. */
function addRawRoutes(app: FastifyInstance, routes: readonly RawRoute[]): void {
  app.register(async (scope) => {
    // These handlers read the socket themselves, after the key is known and with limits of their own.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    for (const { method, path, serve } of routes) {
      scope.route({ method, url: path, handler: (request, reply) => serve(exchangeOf(request, reply)) });
    }
  });
}

function addRoute(app: FastifyInstance, route: ConsoleRoute, { onRequest, handler }: ConsoleHandler): void {
  const { method, path, bodyLimit } = route;
  app.route({
    method,
    url: path,
    bodyLimit,
    onRequest,
    handler,
    ...(isCompressible(route) && { onSend: compressResponse }),
  });
}

type ConsoleHandler = ReturnType<ReturnType<typeof createConsoleHandler>>;

/** A route that is in no list has no rule for who may call it: the server does not start with one. */
function refuseUnlisted(app: FastifyInstance, routes: Route[]): void {
  const listed = new Set(routes.map(({ method, path }) => `${method} ${path}`));
  app.addHook('onRoute', ({ method, url }) => {
    for (const one of [method].flat()) {
      if (!listed.has(`${one === 'HEAD' ? 'GET' : one} ${url}`))
        throw new Error(`the route ${one} ${url} is in no list`);
    }
  });
}
