import { type Contract, readContract } from './contract.ts';

export interface ConsoleResponse {
  status: number;
  headers: Headers;
  success: boolean;
  message: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects; the contract has checked the shape.
  data: any;
  /** The whole body: JSON where it is JSON, else its text. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  body: any;
}

/** A console as its server sees it: keeps the cookie, sends the user header, and holds every response against the contract. */
export interface ConsoleClient {
  userId: number;
  cookie: string;
  /** Signs in and stays signed in; resolves with the user. */
  signIn(username: string, password: string): Promise<ConsoleResponse>;
  get(path: string, headers?: Record<string, string>): Promise<ConsoleResponse>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<ConsoleResponse>;
  put(path: string, body?: unknown, headers?: Record<string, string>): Promise<ConsoleResponse>;
  delete(path: string, headers?: Record<string, string>): Promise<ConsoleResponse>;
  /** Data of a call that must succeed. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  data(response: Promise<ConsoleResponse>): Promise<any>;
}

const contracts = new Map<string, Promise<Contract>>();

export function contractOf(url: string): Promise<Contract> {
  const known = contracts.get(url) ?? readContract(url);
  contracts.set(url, known);
  return known;
}

export function createConsoleClient(url: string): ConsoleClient {
  async function send(method: string, path: string, body: unknown, headers: Record<string, string> = {}) {
    const contract = await contractOf(url);
    const response = await fetch(`${url}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(client.cookie && { cookie: client.cookie }),
        ...(client.userId && { 'new-api-user': String(client.userId) }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    for (const cookie of response.headers.getSetCookie()) keep(cookie);
    const text = await response.text();
    const contentType = response.headers.get('content-type') ?? '';
    const parsed = contentType.startsWith('application/json') ? JSON.parse(text) : text;
    contract.check(method, path, response.status, contentType, parsed);
    const { success = false, message = '', data } = (parsed ?? {}) as Partial<ConsoleResponse>;
    return { status: response.status, headers: response.headers, success, message, data, body: parsed };
  }

  function keep(cookie: string): void {
    const [pair = ''] = cookie.split(';');
    const [name = ''] = pair.split('=');
    const others = client.cookie.split('; ').filter((one) => one !== '' && !one.startsWith(`${name}=`));
    client.cookie = [...others, ...(pair === `${name}=` ? [] : [pair])].join('; ');
  }

  const client: ConsoleClient = {
    userId: 0,
    cookie: '',
    async signIn(username, password) {
      const response = await send('POST', '/api/user/login', { username, password });
      if (response.success) client.userId = response.data.id;
      return response;
    },
    get: (path, headers) => send('GET', path, undefined, headers),
    post: (path, body = {}, headers) => send('POST', path, body, headers),
    put: (path, body = {}, headers) => send('PUT', path, body, headers),
    delete: (path, headers) => send('DELETE', path, undefined, headers),
    async data(pending) {
      const response = await pending;
      if (!response.success) throw new Error(`refused: ${response.message}`);
      return response.data;
    },
  };
  return client;
}
