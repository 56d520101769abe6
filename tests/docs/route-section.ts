import type { ConsoleRoute, Route, RouteAccess } from '../../core/http/route.ts';
import { startGateway } from '../support/start-gateway.ts';
import { code, markdownTable } from './markdown.ts';

const callerNames: Record<RouteAccess, string> = {
  public: 'everybody',
  key: 'API key',
  session: 'user with a session',
  metrics: 'the metrics token, or this machine',
  user: 'user',
  admin: 'admin',
  root: 'root',
};

/** Every route of a running gateway: console routes by noun with what they are for, then the routes for API clients. */
export async function routeTables(): Promise<string> {
  const gateway = await startGateway();
  const { routes } = gateway.gateway;
  await gateway.stop();
  const nouns = new Map<string, ConsoleRoute[]>();
  for (const route of routes) {
    if (!('handle' in route)) continue;
    const noun = nounOf(route, routes);
    nouns.set(noun, [...(nouns.get(noun) ?? []), route]);
  }
  const tables = [...nouns]
    .sort(([a], [b]) => (a === installation ? -1 : b === installation ? 1 : a.localeCompare(b)))
    .map(([noun, of]) => `### ${noun}\n\n${consoleTable(of)}`);
  return [...tables, `### For API clients\n\n${relayTable(routes)}`].join('\n\n');
}

const installation = 'installation';

/** The word behind `/api/`; words with one route only stand together. */
function nounOf(route: Route, routes: readonly Route[]): string {
  const [first = '', noun] = route.path.split('/').slice(1);
  if (first !== 'api' || noun === undefined) return installation;
  const siblings = routes.filter(({ path }) => path === `/api/${noun}` || path.startsWith(`/api/${noun}/`));
  return siblings.length === 1 ? installation : noun;
}

function consoleTable(routes: ConsoleRoute[]): string {
  return markdownTable(
    ['Call', 'Who', 'Which objects', 'What it does'],
    routes
      .toSorted((a, b) => a.path.localeCompare(b.path) || a.method.localeCompare(b.method))
      .map((route) => [callOf(route), callerNames[route.access], route.objects, route.summary]),
  );
}

function relayTable(routes: readonly Route[]): string {
  const served = routes.filter((route) => 'serve' in route && route.access !== 'public');
  return markdownTable(
    ['Call', 'Who'],
    served.map((route) => [callOf(route), route.access === 'user' ? 'user with a session' : callerNames[route.access]]),
  );
}

const callOf = ({ method, path }: Route) => code(`${method} ${path}`);
