import { Agent } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createKnownCallers } from '../../../core/http/relay/known-caller.ts';
import type { Route } from '../../../core/http/route.ts';
import { createHttpServer } from '../../../core/http/server.ts';
import { route } from '../../../core/text/en/route.ts';
import { route as routeZh } from '../../../core/text/zh/route.ts';
import { changedTables, type DatabaseRows, openRows } from '../../support/database-rows.ts';
import { sendRaw } from '../../support/raw-request.ts';
import { type RouteCaller, routeCallers } from '../../support/route-caller.ts';
import { startGateway, type TestGateway } from '../../support/start-gateway.ts';

/** Every route of the one table before every kind of caller, on every spelling of its path (S1). */
describe('the matrix of rights', () => {
  let gateway: TestGateway;
  let callers: RouteCaller[];
  let routes: readonly Route[];
  let rows: DatabaseRows;
  let calls = 0;
  const agent = new Agent({ keepAlive: true });

  beforeAll(async () => {
    // Each call comes from an address of its own, so that no limit of calls is before the guard.
    gateway = await startGateway('sqlite', { TRUSTED_PROXIES: '127.0.0.1' });
    // A failed relay call leaves a log row, a second later.
    await gateway.setOption('LogErrorEnabled', 'false');
    callers = routeCallers(gateway);
    routes = gateway.gateway.routes;
    rows = await openRows(join(gateway.directory, 'tollgate.db'));
  });
  afterAll(async () => {
    await rows.close();
    agent.destroy();
    await gateway.stop();
  });

  it('says in both languages what each console route does', () => {
    const named = routes.flatMap((route) => ('handle' in route ? `${route.method} ${route.path}` : []));
    for (const texts of [route, routeZh])
      expect(
        Object.keys(texts)
          .filter((key) => !key.startsWith('objects.'))
          .sort(),
      ).toEqual(named.sort());
  });

  async function ask(
    route: Route,
    headers: Record<string, string>,
    path = pathOf(route),
    method: string = route.method,
  ) {
    calls += 1;
    const address = `10.${(calls >> 16) & 255}.${(calls >> 8) & 255}.${calls & 255}`;
    const hasBody = method === 'POST' || method === 'PUT';
    const response = await sendRaw(gateway.url, {
      method,
      path,
      headers: {
        'x-forwarded-for': address,
        'accept-language': 'en',
        ...headers,
        ...(hasBody && { 'content-type': 'application/json', 'content-length': '2' }),
      },
      body: hasBody ? '{}' : undefined,
      agent,
    });
    return response;
  }

  it('S1 lets through exactly the callers in the table; a refused call changes nothing', {
    timeout: 600_000,
  }, async () => {
    const holes: string[] = [];
    const changing: string[] = [];
    let cells = 0;
    const standing = new Map<RouteCaller, Record<string, string>>();
    for (const caller of callers) standing.set(caller, await caller.headers());
    for (const route of routes) {
      const refused = callers.filter((caller) => caller.expected(route) !== 'through');
      const admitted: [caller: RouteCaller, headers: Record<string, string>][] = [];
      for (const caller of callers) {
        if (caller.expected(route) !== 'through') continue;
        // A new user for each console call: it may end the session, or the account.
        admitted.push([caller, ('handle' in route ? undefined : standing.get(caller)) ?? (await caller.headers())]);
      }
      const before = await rows.settled();
      for (const caller of refused) {
        const expected = caller.expected(route);
        const { status, text } = await ask(route, standing.get(caller) ?? {});
        if (status !== expected) holes.push(`${nameOf(route)} by ${caller.name}: ${status}, not ${expected}: ${text}`);
      }
      const between = await rows.read();
      const touched = changedTables(before, between);
      if (touched) holes.push(`${nameOf(route)} changed ${touched} for callers it refused`);
      for (const [caller, headers] of admitted) {
        const { status, text } = await ask(route, headers);
        const isThrough = status !== 401 && status !== 403 && status < 500;
        // Not offered is a response of its own.
        const isAsAgreed = (status === 501 && 'serve' in route) || (status === 403 && caller.isForeign);
        if (!isThrough && !isAsAgreed)
          holes.push(`${nameOf(route)} by ${caller.name}: ${status}, not let through: ${text}`);
      }
      const changed = changedTables(between, await rows.read());
      if (changed) changing.push(`${nameOf(route)} (${changed})`);
      cells += refused.length + admitted.length;
    }
    console.info(
      `matrix of rights: ${routes.length} routes, ${callers.length} callers, ${cells} cells, ${holes.length} holes`,
    );
    console.info(`a call without data changed: ${changing.join(', ') || 'nothing'}`);
    const unexpected = changing.filter((entry) => !changesWithoutData.some((name) => entry.startsWith(`${name} `)));
    expect(unexpected, 'routes that change something though they are told nothing').toEqual([]);
    expect(holes).toEqual([]);
    expect(cells).toBe(routes.length * callers.length);
  });

  it('B39, B40 decides the same for every spelling of a path, or knows no such path', {
    timeout: 300_000,
  }, async () => {
    const holes: string[] = [];
    let cells = 0;
    const headers = new Map<RouteCaller, Record<string, string>>();
    for (const caller of callers) headers.set(caller, await caller.headers());
    for (const route of routes) {
      const stopped = callers.filter((caller) => typeof caller.expected(route) === 'number');
      // Of those the route refuses, one for each reason; each spelling by one of them, another one on the next route.
      const asked = stopped.filter((caller, at) => {
        const decision = caller.expected(route);
        return stopped.findIndex((other) => other.expected(route) === decision) === at;
      });
      for (const [at, { name, path, method }] of spellings(route).entries()) {
        const caller = asked[(at + routes.indexOf(route)) % asked.length];
        if (caller) {
          cells += 1;
          const { status, text } = await ask(route, headers.get(caller) ?? {}, path, method);
          const isUnknown = status === 404 || status === 405 || (name === 'NUL' && status === 400);
          if (status !== caller.expected(route) && !isUnknown)
            holes.push(`${nameOf(route)} (${name}: ${path}) by ${caller.name}: ${status}: ${text}`);
          if (name === 'slash' && 'handle' in route && status === 404) holes.push(`${path} is not known with a slash`);
        }
      }
    }
    console.info(`spellings of paths: ${cells} cells, ${holes.length} holes`);
    expect(holes).toEqual([]);
  });

  it('S15 puts the security headers on every response', { timeout: 120_000 }, async () => {
    const missing: string[] = [];
    const check = async (secure: boolean) => {
      for (const route of routes) {
        const { headers } = await ask(route, {});
        const expected: Record<string, string | undefined> = {
          'x-content-type-options': 'nosniff',
          'referrer-policy': 'no-referrer',
          'cross-origin-opener-policy': 'same-origin',
          'strict-transport-security': secure ? 'max-age=31536000' : undefined,
          server: undefined,
          'x-powered-by': undefined,
          ...(route.path.startsWith('/api/') && { 'cache-control': 'no-store' }),
          // The same for all; a client that has it asks whether it is still valid.
          ...(route.path === '/api/openapi.json' && { 'cache-control': 'no-cache' }),
        };
        for (const [name, value] of Object.entries(expected))
          if (headers[name] !== value) missing.push(`${nameOf(route)}: ${name} is ${headers[name]}`);
        for (const name of ['content-security-policy', 'x-request-id', 'x-oneapi-request-id'])
          if (!headers[name]) missing.push(`${nameOf(route)}: no ${name}`);
      }
    };
    await check(false);
    await gateway.setOption('ServerAddress', 'https://gate.example.com');
    await check(true);
    await gateway.setOption('ServerAddress', 'http://127.0.0.1:3000');
    expect(missing).toEqual([]);
    // Nor on responses without a route.
    for (const path of ['/api/nothing', '/nothing', '/%', '/api/status?a=1&a=2', '/%61pi/user/self']) {
      const { headers, status } = await sendRaw(gateway.url, { method: 'GET', path });
      expect(status).toBeGreaterThanOrEqual(400);
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
      });
    }
  });

  it('S1 stops the start for a route that is in no list', () => {
    const server = createHttpServer({
      routes: [],
      guard: { admit: async () => Promise.reject(new Error('asked')), visitor: async () => undefined },
      addressOf: () => '127.0.0.1',
      countCall: async () => {},
      knownCallers: createKnownCallers(),
      isOpen: async () => false,
      onError: () => {},
      afterWrite: async () => {},
      isProxy: () => true,
      isSecure: () => false,
    });
    expect(() => server.fastify.get('/api/backdoor', () => 'open')).toThrow(
      'the route GET /api/backdoor is in no list',
    );
  });
});

/** The whole of what these do is to change something, and their path says what; every other route needs to be told. */
const changesWithoutData = [
  'POST /api/channel/fix',
  'GET /api/channel/test',
  'GET /api/channel/update_balance',
  'POST /api/option/rest_model_ratio',
  'POST /api/ledger/verify',
  // One code of the default quota.
  'POST /api/redemption/',
  // The caller's own session, account and access token.
  'GET /api/user/logout',
  'DELETE /api/user/self',
  'DELETE /api/user/self/sessions',
  'GET /api/user/token',
  'POST /api/user/token',
  'GET /api/oauth/state',
  // For an account without a password; a new secret counts for nothing before a code has shown that an app has it.
  'POST /api/user/2fa/setup',
  // Replaces the whole of the own setting; what is left out is as it was at first.
  'PUT /api/user/setting',
  // Audit rows.
  'GET /api/log/export',
  'GET /api/log/self/export',
  'DELETE /api/log/',
];

const nameOf = ({ method, path }: Route) => `${method} ${path}`;

/** With something in place of each parameter; no row has this id. */
const pathOf = ({ path }: Route) =>
  path
    .replace(/:\w+/g, '987654')
    .replace('deployments/*', 'deployments/m/chat/completions')
    .replace('*', 'models/m:generateContent');

interface Spelling {
  name: string;
  path: string;
  method: string;
}

function spellings(route: Route): Spelling[] {
  const path = pathOf(route);
  const { method } = route;
  const [, first = '', ...rest] = path.split('/');
  const below = rest.join('/');
  const encoded = `%${path.charCodeAt(1).toString(16)}${path.slice(2)}`;
  const variants: [name: string, path: string][] = [
    ['slash', path.endsWith('/') ? path.slice(0, -1) : `${path}/`],
    ['two slashes at the end', `${path}//`],
    ['double slash before', `/${path}`],
    ['double slash inside', `/${first}//${below}`],
    ['upper case', path.toUpperCase()],
    ['first letter in upper case', `/${path.slice(1, 2).toUpperCase()}${path.slice(2)}`],
    ['one letter encoded', `/${encoded}`],
    ['slash encoded', `/${first}%2f${below}`],
    ['dot segment', `/${first}/./${below}`],
    ['two dots', `/nothing/..${path}`],
    ['two dots encoded', `/nothing/%2e%2e${path}`],
    ['semicolon', `${path};x=1`],
    ['backslash', `/${first}\\${below}`],
    ['NUL', `${path}%00`],
    ['query', `${path}?x=1`],
  ];
  return [
    ...variants.map(([name, spelled]) => ({ name, path: spelled, method })),
    ...(method === 'GET' ? [{ name: 'HEAD', path, method: 'HEAD' }] : []),
  ];
}
