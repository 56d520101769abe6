import { isIPv4, isIPv6, type Socket } from 'node:net';
import { coded } from '../../text/coded.ts';
import { bareHost } from './address-rules.ts';
import { UpstreamFailure } from './upstream-failure.ts';

/** A proxy a channel is called through; `https` means that the connection to the proxy itself is encrypted. */
export interface ProxyAddress {
  kind: 'http' | 'https' | 'socks5';
  host: string;
  port: number;
  username: string;
  password: string;
}

const kinds: Record<string, { kind: ProxyAddress['kind']; port: number }> = {
  'http:': { kind: 'http', port: 80 },
  'https:': { kind: 'https', port: 443 },
  'socks5:': { kind: 'socks5', port: 1080 },
  'socks5h:': { kind: 'socks5', port: 1080 },
};
const maxProxyResponseBytes = 16_384;

/** Reads `http://`, `https://`, `socks5://` or `socks5h://user:password@host:port`; undefined for anything else. */
export function parseProxy(text: string): ProxyAddress | undefined {
  const trimmed = text.trim();
  const url = URL.canParse(trimmed) ? new URL(trimmed) : undefined;
  const scheme = url && kinds[url.protocol];
  // The parser leaves hosts of schemes it does not know as typed, so 0x7f.1 would escape the rules for addresses.
  const authority = url && `http://${url.host}`;
  if (!scheme || !authority || !URL.canParse(authority)) return undefined;
  if ((url.pathname !== '' && url.pathname !== '/') || url.search !== '' || url.hash !== '') return undefined;
  const port = url.port === '' ? scheme.port : Number(url.port);
  const host = bareHost(new URL(authority).hostname);
  try {
    const [username, password] = [decodeURIComponent(url.username), decodeURIComponent(url.password)];
    return { kind: scheme.kind, host, port, username, password };
  } catch {
    return undefined; // a stray % in the name or password
  }
}

/** Asks the proxy at the other end of `socket` for a way to the target; the socket then carries the target's bytes. */
export async function openTunnel(socket: Socket, proxy: ProxyAddress, target: { host: string; port: number }) {
  const reader = createReader(socket);
  try {
    if (proxy.kind === 'socks5') await askSocks5(socket, reader, proxy, target);
    else await askConnect(socket, reader, proxy, target);
  } finally {
    reader.release();
  }
}

// CONNECT, RFC 9110 section 9.3.6
async function askConnect(
  socket: Socket,
  reader: Reader,
  proxy: ProxyAddress,
  target: { host: string; port: number },
): Promise<void> {
  const authority = `${isIPv6(target.host) ? `[${target.host}]` : target.host}:${target.port}`;
  const credentials = Buffer.from(`${proxy.username}:${proxy.password}`).toString('base64');
  const authorization = proxy.username === '' ? '' : `Proxy-Authorization: Basic ${credentials}\r\n`;
  socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n${authorization}\r\n`);
  const head = await reader.readThrough('\r\n\r\n');
  const status = /^HTTP\/1\.[01] (\d{3})/.exec(head)?.[1];
  if (status === undefined) throw proxyFailure(coded('proxy.nonsense'));
  // 401 is what Tinyproxy says of a wrong password.
  if (status === '407' || status === '401')
    throw proxyFailure(coded(proxy.username === '' ? 'proxy.signInNeeded' : 'proxy.refused'));
  if (!status.startsWith('2')) throw proxyFailure(coded('proxy.answer', { status }));
}

/** "No acceptable methods": to one that offers no name, it means that the proxy wants one. */
const noMethod = 0xff;

// RFC 1928, and RFC 1929 for name and password. The proxy resolves the name: ours may not know the target's true address.
async function askSocks5(
  socket: Socket,
  reader: Reader,
  proxy: ProxyAddress,
  target: { host: string; port: number },
): Promise<void> {
  const method = proxy.username === '' ? 0 : 2;
  socket.write(Buffer.from([5, 1, method]));
  const [version, chosen] = await reader.read(2);
  if (version === 5 && chosen === noMethod && method === 0) throw proxyFailure(coded('proxy.signInNeeded'));
  if (version !== 5 || chosen !== method) throw proxyFailure(coded('proxy.signIn'));
  if (method === 2) {
    socket.write(Buffer.concat([Buffer.from([1]), counted(proxy.username), counted(proxy.password)]));
    const [, verdict] = await reader.read(2);
    if (verdict !== 0) throw proxyFailure(coded('proxy.refused'));
  }
  const port = Buffer.from([target.port >> 8, target.port & 0xff]);
  socket.write(Buffer.concat([Buffer.from([5, 1, 0]), socksAddress(target.host), port]));
  const [, reply, , addressType] = await reader.read(4);
  if (reply !== 0) throw proxyFailure(coded('proxy.socks', { code: reply ?? -1 }));
  const boundLength = addressType === 1 ? 4 : addressType === 4 ? 16 : ((await reader.read(1))[0] ?? 0);
  await reader.read(boundLength + 2);
}

function socksAddress(host: string): Buffer {
  if (isIPv4(host)) return Buffer.from([1, ...host.split('.').map(Number)]);
  // An IPv6 literal goes as text: proxies accept it in the name field, and it needs no packing here.
  return Buffer.concat([Buffer.from([3]), counted(host)]);
}

function counted(text: string): Buffer {
  const bytes = Buffer.from(text);
  if (bytes.length > 255) throw proxyFailure(coded('proxy.tooLong'));
  return Buffer.concat([Buffer.from([bytes.length]), bytes]);
}

function proxyFailure(text: string): UpstreamFailure {
  return new UpstreamFailure('connect', { sentNothing: true, text });
}

interface Reader {
  read(length: number): Promise<Buffer>;
  readThrough(mark: string): Promise<string>;
  release(): void;
}

/** Takes bytes off a socket one response at a time and leaves the rest in it for the next reader. */
function createReader(socket: Socket): Reader {
  let failure: Error | undefined;
  let wake = () => {};
  const onReadable = () => wake();
  const onGone = (error?: Error | boolean) => {
    failure ??= error instanceof Error ? error : proxyFailure(coded('proxy.closed'));
    wake();
  };
  socket.on('readable', onReadable).on('error', onGone).on('close', onGone).on('end', onGone);

  async function next(): Promise<Buffer> {
    for (;;) {
      const chunk: Buffer | null = socket.read();
      if (chunk) return chunk;
      if (failure) throw failure;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }
  async function take(lengthOf: (bytes: Buffer) => number | undefined): Promise<Buffer> {
    let bytes: Buffer = Buffer.alloc(0);
    for (;;) {
      const length = lengthOf(bytes);
      if (length !== undefined) {
        if (bytes.length > length) socket.unshift(bytes.subarray(length));
        return bytes.subarray(0, length);
      }
      if (bytes.length > maxProxyResponseBytes) throw proxyFailure(coded('proxy.tooMuch'));
      bytes = Buffer.concat([bytes, await next()]);
    }
  }
  return {
    read: (length) => take((bytes) => (bytes.length >= length ? length : undefined)),
    readThrough: async (mark) => {
      const bytes = await take((all) => (all.includes(mark) ? all.indexOf(mark) + mark.length : undefined));
      return bytes.toString('latin1');
    },
    release: () => {
      socket.off('readable', onReadable).off('error', onGone).off('close', onGone).off('end', onGone);
    },
  };
}
