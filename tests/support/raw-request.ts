import { type Agent, request } from 'node:http';

export interface RawResponse {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

export interface RawRequest {
  method: string;
  /** Sent as it is: no dot segment is resolved, nothing is encoded. */
  path: string;
  headers?: Record<string, string> | undefined;
  body?: string | undefined;
  /** For thousands of calls, which may share connections; without it each call has one of its own. */
  agent?: Agent;
}

/** One call whose path reaches the server byte by byte, which `fetch` does not allow. */
export function sendRaw(url: string, { method, path, headers = {}, body, agent }: RawRequest): Promise<RawResponse> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const call = request({ hostname, port, method, path, headers, agent: agent ?? false }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(parts).toString(),
        }),
      );
    });
    call.on('error', reject);
    call.end(body);
  });
}
