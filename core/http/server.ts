import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { parse as parseForm } from 'node:querystring';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { AppError } from '../errors/app-error.ts';
import { newRequestId } from '../lib/request-id.ts';
import { isLongBody } from '../relay/deliver/client-writer.ts';
import { taskErrorsOf } from '../wire/task-path.ts';
import { keepWaiting } from './body/continue.ts';
import { hasBody } from './body/receive-body.ts';
import { refuseTunnel, respondToClientError } from './client-error.ts';
import { busyPage, isNavigation } from './console/busy-page.ts';
import { compressResponse, isCompressible } from './console/compress.ts';
import { parseConsoleBody, readConsoleBody } from './console/console-body.ts';
import { type ConsoleHandlerDependencies, createConsoleHandler } from './console/console-handler.ts';
import { isOpen, isPreflight, originHeaders, respondToPreflight, setOriginHeaders } from './console/cross-origin.ts';
import type { Dashboard } from './console/dashboard.ts';
import { envelopeError, toAppError } from './console/envelope.ts';
import { preferredLanguage } from './language.ts';
import { createLeave } from './leave.ts';
import { isLingering, lingerAtEnd } from './linger.ts';
import { openRelayCall, sendRelayError } from './relay/relay-call.ts';
import { createUpgrades, upgradableRequest } from './relay/upgrade.ts';
import { pathOf, toOriginForm, toOwnPath } from './request-path.ts';
import type { ConsoleRoute, RawExchange, RawRoute, Route } from './route.ts';
import { securityHeaders, setSecurityHeaders } from './security-headers.ts';
import { limitSockets } from './socket-limit.ts';
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

const headerBytes = 16 * 1024;
const maxHeaders = 100;
const maxLineLength = 8 * 1024;
const maxQueryLength = 4 * 1024;
const lastReadMs = 2000;
const noParams = {};
/** Zod checks what comes in and writes what goes out: Fastify's own way, which takes memory, stays out of the program. */
const noCompiler = () => {
  throw new Error('a route of the console is checked by its own schema, not by one of Fastify');
};
const noCompilers = { buildValidator: noCompiler, buildSerializer: noCompiler };
const formType = 'application/x-www-form-urlencoded';
const protocolPath = /^\/(v1|v2|v1alpha|v1beta1?|upload\/v1(alpha|beta)?|openai\/deployments|pg|dashboard)\//;

export function createHttpServer(dependencies: HttpServerDependencies): HttpServer {
  const { routes, onError, onResponse, afterWrite, dashboard, isProxy, isSecure, bodyTimeMs } = dependencies;
  const direct = new Map<string, RawRoute['serve']>();
  for (const route of routes) {
    if (!('serve' in route) || hasParams(route)) continue;
    for (const path of [route.path, `${route.path}/`]) direct.set(`${route.method} ${path}`, route.serve);
  }
  const leave = createLeave();
  const upgrades = createUpgrades(routes, (incoming) => responseHeaders(incoming, isSecure()));
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
    serverFactory: (handler) => {
      const response = (incoming: IncomingMessage, outgoing: ServerResponse) => {
        if (isLingering(incoming)) {
          incoming.resume();
          return;
        }
        leave.mark(outgoing);
        toOriginForm(incoming);
        toOwnPath(incoming);
        if (isPreflight(incoming)) {
          respondToPreflight(incoming, outgoing, securityHeaders(isSecure()));
          return;
        }
        // Straight to the relay: it needs nothing of the framework, and what the framework does costs more than the relay's own work.
        const serve = isUnfit(incoming) ? undefined : direct.get(`${methodOf(incoming)} ${pathOf(incoming)}`);
        if (serve) {
          void serve({ incoming, outgoing, headers: responseHeaders(incoming, isSecure()), params: noParams });
        } else {
          setSecurityHeaders(outgoing, isSecure());
          setOriginHeaders(incoming, outgoing);
          handler(incoming, outgoing);
        }
      };
      const server = createServer(
        {
          maxHeaderSize: headerBytes,
          headersTimeout: 10_000,
          requestTimeout: 900_000,
          keepAliveTimeout: 60_000,
          connectionsCheckingInterval: 2000,
          // Two lengths, or a length and chunks, must not be read by guess.
          insecureHTTPParser: false,
          IncomingMessage: upgradableRequest(upgrades.isMeant),
        },
        response,
      );
      // A client that sends Expect is told to send its body once its caller is known.
      server.on('checkContinue', (incoming: IncomingMessage, outgoing: ServerResponse) => {
        keepWaiting(incoming, outgoing);
        response(incoming, outgoing);
      });
      // Node leaves out what comes after: one more than we take, to see that there was more.
      server.maxHeadersCount = maxHeaders + 1;
      server.on('connect', refuseTunnel);
      server.on('upgrade', upgrades.take);
      limitSockets(server, isProxy);
      server.on('connection', lingerAtEnd);
      return server;
    },
  });

  dashboard?.register(app);
  // A console call is JSON or it is refused.
  app.removeAllContentTypeParsers();
  const readBody = ({ routeOptions }: FastifyRequest, payload: IncomingMessage) =>
    readConsoleBody(payload, { bytes: routeOptions.bodyLimit ?? 0, timeMs: bodyTimeMs });
  app.addContentTypeParser('application/json', async (request: FastifyRequest, payload: IncomingMessage) =>
    // Scripts name the type on every call, also where nothing is to be sent.
    hasBody(payload) ? parseConsoleBody(await readBody(request, payload)) : undefined,
  );
  refuseUnlisted(app, routes);
  app.addHook('onRequest', async ({ raw }) => refuseUnfit(raw));
  const raw = routes.filter((route) => 'serve' in route);
  const handlerOf = createConsoleHandler(dependencies);
  const consoleRoutes = routes.filter((route) => 'handle' in route);
  for (const route of consoleRoutes) if (!route.isForm) addRoute(app, route, handlerOf(route));
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(formType, async (request: FastifyRequest, payload: IncomingMessage) =>
      hasBody(payload) ? parseForm((await readBody(request, payload)).toString('utf8')) : {},
    );
    for (const route of consoleRoutes) if (route.isForm) addRoute(scope, route, handlerOf(route));
  });
  app.register(async (scope) => {
    // These handlers read the socket themselves, after the key is known and with limits of their own.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    for (const { method, path, serve } of raw.filter(hasParams)) {
      scope.route({ method, url: path, handler: (request, reply) => serve(exchangeOf(request, reply)) });
    }
  });
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

/** Made once, because each call takes one of the two. */
const openHeaders = [false, true].map((isSecure) => ({
  program: [...securityHeaders(isSecure), ...originHeaders({ headers: {} })],
  browser: [...securityHeaders(isSecure), ...originHeaders({ headers: { origin: '*' } })],
}));

function responseHeaders(incoming: IncomingMessage, isSecure: boolean): readonly string[] {
  const open = isOpen(pathOf(incoming)) ? openHeaders[Number(isSecure)] : undefined;
  if (!open) return securityHeaders(isSecure);
  return incoming.headers.origin === undefined ? open.program : open.browser;
}

/** The head alone is that of a GET, whose body node does not send then. */
function methodOf({ method = '' }: IncomingMessage): string {
  return method === 'HEAD' ? 'GET' : method;
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

function refuseUnfit(request: IncomingMessage): void {
  if (isLineTooLong(request)) throw new AppError('route.lineTooLong');
  if (hasNul(request)) throw new AppError('query.nul');
  if (isUnfit(request)) throw new AppError('route.tooManyHeaders', { limit: maxHeaders });
}

function isUnfit(request: IncomingMessage): boolean {
  return request.rawHeaders.length > 2 * maxHeaders || isLineTooLong(request) || hasNul(request);
}

/** No text of ours contains one: PostgreSQL does not take it, and SQLite ends the text there. */
function hasNul({ url = '' }: IncomingMessage): boolean {
  return url.includes('%00');
}

function isLineTooLong({ url = '' }: IncomingMessage): boolean {
  const question = url.indexOf('?');
  return url.length > maxLineLength || (question >= 0 && url.length - question > maxQueryLength);
}
