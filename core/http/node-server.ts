import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { baseHeaders } from './base-headers.ts';
import { keepWaiting } from './body/continue.ts';
import { refuseTunnel } from './client-error.ts';
import { isPreflight, respondToPreflight, setOriginHeaders } from './console/cross-origin.ts';
import type { createLeave } from './leave.ts';
import { isLingering, lingerAtEnd } from './linger.ts';
import { type createUpgrades, upgradableRequest } from './relay/upgrade.ts';
import { pathOf, toOriginForm, toOwnPath } from './request-path.ts';
import type { RawRoute } from './route.ts';
import { securityHeaders, setSecurityHeaders } from './security-headers.ts';
import { limitSockets } from './socket-limit.ts';
import { isUnfit, maxHeaders } from './unfit-request.ts';

type Handler = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

interface NodeServerDependencies {
  leave: Pick<ReturnType<typeof createLeave>, 'mark'>;
  upgrades: Pick<ReturnType<typeof createUpgrades>, 'isMeant' | 'take'>;
  /** Of routes that need nothing of the framework, by method and path. */
  direct: DirectRoutes;
  isProxy(address: string): boolean;
  isSecure(): boolean;
}

export type DirectRoutes = ReadonlyMap<string, RawRoute['serve']>;

const headerBytes = 16 * 1024;
const noParams = {};

export function directRoutes(routes: readonly RawRoute[]): DirectRoutes {
  const paths = ({ path }: RawRoute) => [path, `${path}/`];
  return new Map(routes.flatMap((route) => paths(route).map((path) => [`${route.method} ${path}`, route.serve])));
}

/** Node's own server below the framework: what is refused or served before the framework hears of it. */
export function createNodeServer(dependencies: NodeServerDependencies, handler: Handler): Server {
  const { leave, upgrades, direct, isProxy, isSecure } = dependencies;
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
      void serve({ incoming, outgoing, headers: baseHeaders(incoming, isSecure()), params: noParams });
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
}

/** The head alone is that of a GET, whose body node does not send then. */
function methodOf({ method = '' }: IncomingMessage): string {
  return method === 'HEAD' ? 'GET' : method;
}
