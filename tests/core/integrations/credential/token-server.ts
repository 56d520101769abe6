import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

interface TokenReply {
  status?: number;
  body: unknown;
}

export interface TokenServer {
  uri: string;
  /** What each exchange sent. */
  asked: { headers: IncomingMessage['headers']; form: URLSearchParams }[];
  /** How it responds from now on; the default token when undefined. */
  reply: TokenReply | undefined;
  /** Exchanges wait until it resolves. */
  gate: Promise<void>;
  close(): Promise<void>;
}

/** Google's token endpoint on this machine: each exchange gives out another token. */
export async function startTokenServer(): Promise<TokenServer> {
  const server = createServer(async (request, response) => {
    const form = new URLSearchParams(await text(request));
    state.asked.push({ headers: request.headers, form });
    const defaultValue = { access_token: `ya29.${state.asked.length}`, expires_in: 3599, token_type: 'Bearer' };
    await state.gate;
    const { status = 200, body } = state.reply ?? { body: defaultValue };
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const state: TokenServer = {
    uri: `http://127.0.0.1:${port}/token`,
    asked: [],
    reply: undefined,
    gate: Promise.resolve(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return state;
}
