import type { OpenAPIV3_1 } from 'openapi-types';
import { objectsOf, summaryOf, writeOpenApi } from '../../core/http/console/openapi.ts';
import type { ConsoleRoute, Route, RouteAccess } from '../../core/http/route.ts';
import type { Language } from '../../core/text/text.ts';
import type { LocalText } from '../support/local-text.ts';
import { startGateway } from '../support/start-gateway.ts';
import { code, markdownTable } from './markdown.ts';
import { routeEntry } from './route-entry.ts';

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
  installation: { en: 'Installation', zh: '系统' },
  relay: { en: ['Call', 'Who'], zh: ['接口', '调用者'] },
  relayTitle: { en: 'For API clients', zh: '供 API 客户端使用' },
  who: { en: 'Who: ', zh: '调用者：' },
  objects: { en: 'Objects: ', zh: '对象：' },
  end: { en: '.', zh: '。' },
};

/** Every route of a running gateway: console routes by noun, each as the published contract has it, then the routes for API clients. */
export async function routeReference(language: Language): Promise<string> {
  const gateway = await startGateway();
  const { routes } = gateway.gateway;
  await gateway.stop();
  const nouns = new Map<string, ConsoleRoute[]>();
  for (const route of routes) {
    if (!('handle' in route)) continue;
    const noun = nounOf(route, routes);
    nouns.set(noun, [...(nouns.get(noun) ?? []), route]);
  }
  const contract = writeOpenApi([...nouns.values()].flat(), '');
  const entries = [...nouns]
    .sort(([a], [b]) => (a === installation ? -1 : b === installation ? 1 : a.localeCompare(b)))
    .flatMap(([noun, of]) => [
      `## ${noun === installation ? words.installation[language] : noun}`,
      ...inOrder(of).map((route) => entryOf(route, contract, language)),
    ]);
  return [...entries, `## ${words.relayTitle[language]}`, relayTable(routes, language)].join('\n\n');
}

const installation = 'installation';

/** The word behind `/api/`; words with one route only stand together. */
function nounOf(route: Route, routes: readonly Route[]): string {
  const [first = '', noun] = route.path.split('/').slice(1);
  if (first !== 'api' || noun === undefined) return installation;
  const siblings = routes.filter(({ path }) => path === `/api/${noun}` || path.startsWith(`/api/${noun}/`));
  return siblings.length === 1 ? installation : noun;
}

const inOrder = (routes: ConsoleRoute[]) =>
  routes.toSorted((a, b) => a.path.localeCompare(b.path) || a.method.localeCompare(b.method));

function entryOf(route: ConsoleRoute, contract: OpenAPIV3_1.Document, language: Language): string {
  const path = contract.paths?.[route.path.replace(/:(\w+)/g, '{$1}')] as Record<string, OpenAPIV3_1.OperationObject>;
  const operation = path[route.method.toLowerCase()];
  if (!operation) throw new Error(`the contract has no ${route.method} ${route.path}`);
  const end = words.end[language];
  const objects = objectsOf(language, route);
  const about = [
    `${summaryOf(language, route)}${end}`,
    `${words.who[language]}${callerNames[route.access][language]}${end}`,
    objects && `${words.objects[language]}${objects}${end}`,
  ];
  const text = about.filter(Boolean).join(language === 'en' ? ' ' : '');
  return `### ${route.method} ${route.path}\n\n${text}\n\n${routeEntry(route, operation, language)}`;
}

function relayTable(routes: readonly Route[], language: Language): string {
  const served = routes.filter((route) => 'serve' in route && route.access !== 'public');
  return markdownTable(
    words.relay[language],
    served.map((route) => [callOf(route), callerNames[route.access === 'user' ? 'session' : route.access][language]]),
  );
}

const callOf = ({ method, path }: Route) => code(`${method} ${path}`);
