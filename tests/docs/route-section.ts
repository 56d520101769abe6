import { objectsOf, summaryOf } from '../../core/http/console/openapi.ts';
import type { ConsoleRoute, Route, RouteAccess } from '../../core/http/route.ts';
import type { Language } from '../../core/text/text.ts';
import type { LocalText } from '../support/local-text.ts';
import { startGateway } from '../support/start-gateway.ts';
import { code, markdownTable } from './markdown.ts';

const callerNames: Record<RouteAccess, LocalText> = {
  public: { en: 'everyone', zh: '任何人' },
  key: { en: 'token', zh: '令牌' },
  session: { en: 'user with a session', zh: '有会话的用户' },
  metrics: { en: 'metrics token, or this machine', zh: '指标令牌，或本机' },
  user: { en: 'user', zh: '用户' },
  admin: { en: 'admin', zh: '管理员' },
  root: { en: 'root', zh: 'root' },
};

const words = {
  console: { en: ['Call', 'Who', 'Objects', 'What it does'], zh: ['接口', '调用者', '对象', '作用'] },
  relay: { en: ['Call', 'Who'], zh: ['接口', '调用者'] },
  relayTitle: { en: 'For API clients', zh: '供 API 客户端使用' },
};

/** Every route of a running gateway: console routes by noun with what they are for, then the routes for API clients. */
export async function routeTables(language: Language): Promise<string> {
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
    .map(([noun, of]) => `### ${noun}\n\n${consoleTable(of, language)}`);
  return [...tables, `### ${words.relayTitle[language]}\n\n${relayTable(routes, language)}`].join('\n\n');
}

const installation = 'installation';

/** The word behind `/api/`; words with one route only stand together. */
function nounOf(route: Route, routes: readonly Route[]): string {
  const [first = '', noun] = route.path.split('/').slice(1);
  if (first !== 'api' || noun === undefined) return installation;
  const siblings = routes.filter(({ path }) => path === `/api/${noun}` || path.startsWith(`/api/${noun}/`));
  return siblings.length === 1 ? installation : noun;
}

function consoleTable(routes: ConsoleRoute[], language: Language): string {
  return markdownTable(
    words.console[language],
    routes
      .toSorted((a, b) => a.path.localeCompare(b.path) || a.method.localeCompare(b.method))
      .map((route) => [
        callOf(route),
        callerNames[route.access][language],
        objectsOf(language, route),
        summaryOf(language, route),
      ]),
  );
}

function relayTable(routes: readonly Route[], language: Language): string {
  const served = routes.filter((route) => 'serve' in route && route.access !== 'public');
  return markdownTable(
    words.relay[language],
    served.map((route) => [callOf(route), callerNames[route.access === 'user' ? 'session' : route.access][language]]),
  );
}

const callOf = ({ method, path }: Route) => code(`${method} ${path}`);
