import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { SignInEndpoints } from '../../core/integrations/sign-in-endpoint.ts';

/** What a provider knows about a user; each provider responds with the part it has. */
export type Person = Record<string, unknown>;

interface Grant {
  person: Person;
  challenge: string | undefined;
  redirectUri: string | undefined;
}

export interface FakeSignIn {
  url: string;
  endpoints: SignInEndpoints;
  /** Client id and secret at every provider; token of the WeChat server; secret of Turnstile. */
  readonly secrets: { id: string; secret: string };
  /** The user agrees on an authorization page: what the browser comes back with. */
  authorize(address: string, person: Person): { code: string; state: string };
  /** A code as WeChat hands it out, or a token as the Turnstile widget does: good once. */
  issue(value: string): string;
  /** No responses until this is false again. */
  isSilent: boolean;
  /** Of the responses given since the start. */
  calls: { path: string; headers: IncomingMessage['headers']; body: string }[];
  close(): Promise<void>;
}

type Reply = { status?: number; body: unknown } | undefined;

interface Call {
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  body: string;
}

/** Providers as strict as their documentation: GitHub, LINUX DO, an OIDC provider, a WeChat server and Turnstile in one. */
export async function startFakeSignIn(): Promise<FakeSignIn> {
  const secrets = { id: 'client-1', secret: 'client secret 1' };
  const grants = new Map<string, Grant>();
  const tokens = new Map<string, Person>();
  const issued = new Map<string, string>();

  function redeem(fields: Record<string, string | undefined>): string | undefined {
    const grant = grants.get(fields.code ?? '');
    grants.delete(fields.code ?? '');
    if (!grant || grant.redirectUri !== fields.redirect_uri) return undefined;
    const challenge = fields.code_verifier && createHash('sha256').update(fields.code_verifier).digest('base64url');
    if ((grant.challenge ?? undefined) !== (challenge || undefined)) return undefined;
    const token = randomBytes(12).toString('hex');
    tokens.set(token, grant.person);
    return token;
  }

  const isClient = (fields: Record<string, unknown>) =>
    fields.client_id === secrets.id && fields.client_secret === secrets.secret;
  const bearer = ({ headers }: Call) => tokens.get(headers.authorization?.replace(/^Bearer /, '') ?? '');

  const routes: Record<string, (call: Call) => Reply> = {
    'POST /github/login/oauth/access_token'({ headers, body }) {
      if (headers.accept !== 'application/json') return { body: 'access_token=form&scope=' };
      const fields = JSON.parse(body) as Record<string, string>;
      // Refusals come with status 200 here.
      if (!isClient(fields)) return { body: { error: 'incorrect_client_credentials' } };
      const access_token = redeem(fields);
      if (!access_token) return { body: { error: 'bad_verification_code', error_description: 'secret detail 7' } };
      return { body: { access_token, scope: 'user:email', token_type: 'bearer' } };
    },
    'GET /github-api/user'(call) {
      if (!call.headers['user-agent']) return { status: 403, body: { message: 'no user agent' } };
      const person = bearer(call);
      return person
        ? { body: { ...person, emails: undefined } }
        : { status: 401, body: { message: 'Bad credentials' } };
    },
    'GET /github-api/user/emails'(call) {
      const emails = bearer(call)?.emails;
      return emails ? { body: emails } : { status: 404, body: { message: 'Not Found' } };
    },
    'POST /linuxdo/oauth2/token'({ headers, body }) {
      const basic = `Basic ${Buffer.from(`${secrets.id}:${secrets.secret}`).toString('base64')}`;
      if (headers.authorization !== basic) return { status: 401, body: { message: 'who are you' } };
      const access_token = redeem(Object.fromEntries(new URLSearchParams(body)));
      return access_token ? { body: { access_token } } : { status: 400, body: { message: 'bad code' } };
    },
    'GET /linuxdo/api/user': (call) => ({ body: bearer(call) }),
    'GET /oidc/.well-known/openid-configuration': () => ({
      body: {
        issuer: `${url}/oidc`,
        authorization_endpoint: `${url}/oidc/authorize`,
        token_endpoint: `${url}/oidc/token`,
        userinfo_endpoint: `${url}/oidc/userinfo`,
        code_challenge_methods_supported: ['S256'],
      },
    }),
    'POST /oidc/token'({ body }) {
      const fields = Object.fromEntries(new URLSearchParams(body));
      const access_token = isClient(fields) ? redeem(fields) : undefined;
      return access_token
        ? { body: { access_token, token_type: 'Bearer' } }
        : { status: 400, body: { error: 'invalid_grant' } };
    },
    'GET /oidc/userinfo': (call) => ({ body: bearer(call) }),
    'GET /wechat/api/wechat/user'({ headers, query }) {
      if (headers.authorization !== secrets.secret) return { body: { success: false, message: 'bad token', data: '' } };
      return { body: { success: true, message: '', data: take(query.get('code') ?? '') } };
    },
    'POST /turnstile/turnstile/v0/siteverify'({ body }) {
      const fields = Object.fromEntries(new URLSearchParams(body));
      const success = fields.secret === secrets.secret && take(fields.response ?? '') !== '';
      return { body: { success, 'error-codes': success ? [] : ['invalid-input-response'] } };
    },
  };

  function take(value: string): string {
    const found = issued.get(value) ?? '';
    issued.delete(value);
    return found;
  }

  const server = createServer(async (incoming, outgoing) => {
    const { pathname, searchParams } = new URL(incoming.url ?? '/', url);
    const call = { path: pathname, query: searchParams, headers: incoming.headers, body: await text(incoming) };
    if (fake.isSilent) return;
    fake.calls.push(call);
    const reply = routes[`${incoming.method} ${pathname}`]?.(call) ?? { status: 404, body: { message: 'not here' } };
    outgoing.writeHead(reply.status ?? 200, { 'content-type': 'application/json' });
    outgoing.end(JSON.stringify(reply.body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const fake: FakeSignIn = {
    url,
    secrets,
    endpoints: {
      github: `${url}/github`,
      githubApi: `${url}/github-api`,
      linuxDo: `${url}/linuxdo`,
      turnstile: `${url}/turnstile`,
    },
    isSilent: false,
    calls: [],
    authorize(address, person) {
      const { searchParams } = new URL(address);
      if (searchParams.get('client_id') !== secrets.id) throw new Error('the page does not know this client');
      const code = randomBytes(8).toString('hex');
      grants.set(code, {
        person,
        challenge: searchParams.get('code_challenge') ?? undefined,
        redirectUri: searchParams.get('redirect_uri') ?? undefined,
      });
      return { code, state: searchParams.get('state') ?? '' };
    },
    issue(value) {
      const code = randomBytes(6).toString('hex');
      issued.set(code, value);
      return code;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return fake;
}
