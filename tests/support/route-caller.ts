import type { Route, RouteAccess } from '../../core/http/route.ts';
import { role } from '../../core/schemas/actor.ts';
import type { TestGateway } from './start-gateway.ts';

/** A caller of a route, and what the route table says of them. */
export interface RouteCaller {
  name: string;
  /** Headers of a caller of this kind; rebuilt for a call that gets through, because the call may be its end. */
  headers(): Promise<Record<string, string>>;
  expected(route: Route): Decision;
  /** A foreign page in the browser of a signed-in user: public routes may turn it away, too. */
  isForeign?: true;
}

/** `through`: the handler sends the response, whatever its status. */
export type Decision = 401 | 403 | 400 | 'through';

const min: Partial<Record<RouteAccess, number>> = { user: role.user, admin: role.admin, root: role.root };

/** The three roles, with session and access token, and all callers who must not be taken for one of them. */
export function routeCallers(gateway: TestGateway): RouteCaller[] {
  const { database, secretBox, services } = gateway.app;
  let made = 0;

  /** Straight into the table: hashing a password for each of them would take minutes. */
  async function createUser(values: { role: number; status?: number; deleted_at?: number }) {
    const name = `caller${++made}`;
    const user = await database.users.create({
      username: name,
      username_key: name,
      password: '',
      quota: 1000,
      created_time: 1,
      group: 'default',
      aff_code: name,
      ...values,
    });
    const row = await database.users.findByPk(user.id, { raw: true });
    if (!row) throw new Error('no user was created');
    return row;
  }

  async function session(values: Parameters<typeof createUser>[0]) {
    const user = await createUser(values);
    const { sessionId } = await services.sessions.open(user, { address: '127.0.0.1', userAgent: 'matrix' });
    return { cookie: `session=${sessionId}`, 'new-api-user': String(user.id) };
  }

  async function accessToken(of: number) {
    const user = await createUser({ role: of });
    const token = `access-token-of-${user.username}`;
    await database.users.update({ access_token_hash: secretBox.lookupHash(token) }, { where: { id: user.id } });
    return { authorization: `Bearer ${token}`, 'new-api-user': String(user.id) };
  }

  /** By the role alone. */
  const byRole =
    (of: number, withSession: boolean) =>
    ({ access }: Route): Decision => {
      // The matrix comes through a proxy.
      if (access === 'key' || access === 'metrics' || (access === 'session' && !withSession)) return 401;
      return of >= (min[access] ?? role.guest) ? 'through' : 403;
    };
  const nobody = ({ access }: Route): Decision => (access === 'public' ? 'through' : 401);
  /** The cookie is good, the header beside it is not: some routes ask for the cookie alone. */
  const cookieOnly = (route: Route): Decision => (route.access === 'session' ? 'through' : nobody(route));

  const signedIn = [role.user, role.admin, role.root].map((of) => ({
    name: `${roleName(of)} with a session`,
    headers: () => session({ role: of }),
    expected: byRole(of, true),
  }));
  const tokens = [role.user, role.admin, role.root].map((of) => ({
    name: `${roleName(of)} with an access token`,
    headers: () => accessToken(of),
    // The playground takes a session only, and says so.
    expected: (route: Route) => ('serve' in route && route.access === 'user' ? 400 : byRole(of, false)(route)),
  }));
  const root = () => session({ role: role.root });
  const refused = (name: string, headers: RouteCaller['headers'], expected: RouteCaller['expected'] = nobody) => ({
    name,
    headers,
    expected,
  });
  const foreign = (name: string, mark: Record<string, string>): RouteCaller => ({
    name,
    isForeign: true,
    headers: async () => ({ ...(await root()), ...mark }),
    expected({ access }) {
      if (access === 'key' || access === 'metrics') return 401;
      return access === 'public' ? 'through' : 403;
    },
  });

  return [
    refused('guest', async () => ({})),
    ...signedIn,
    ...tokens,
    refused('banned root', () => session({ role: role.root, status: 2 })),
    refused('deleted root', () => session({ role: role.root, deleted_at: 1 })),
    refused('root without New-Api-User', async () => ({ cookie: (await root()).cookie }), cookieOnly),
    refused('root with a foreign New-Api-User', async () => ({ ...(await root()), 'new-api-user': '1' }), cookieOnly),
    refused(
      'root whose New-Api-User only reads like the id',
      async () => {
        const headers = await root();
        return { ...headers, 'new-api-user': `0${headers['new-api-user']}` };
      },
      cookieOnly,
    ),
    refused('cookie cut short', async () => {
      const headers = await root();
      return { ...headers, cookie: headers.cookie.slice(0, -1) };
    }),
    foreign('root on a page of another origin', { origin: 'https://evil.example' }),
    foreign('root on a page without origin', { origin: 'null' }),
    foreign('root on a page of another site', { 'sec-fetch-site': 'cross-site' }),
    refused(
      'API key',
      async () => ({ authorization: `Bearer ${gateway.key}`, 'new-api-user': String(gateway.userId) }),
      (route) => {
        if (route.access === 'key' || route.access === 'public') return 'through';
        return 'serve' in route ? 400 : 401;
      },
    ),
  ];
}

function roleName(of: number): string {
  return Object.entries(role).find(([, number]) => number === of)?.[0] ?? '';
}
