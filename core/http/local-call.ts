import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '../errors/app-error.ts';
import { isLoopback } from '../integrations/outbound/ip-class.ts';

const forwardingHeaders = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'];

/** What shows that a proxy has sent the call on: that the proxy is on this machine says nothing about the caller. */
export function forwardingHeaderOf(headers: IncomingHttpHeaders): string | undefined {
  return forwardingHeaders.find((name) => headers[name] !== undefined);
}

/**
 * While root has the default password the server listens on loopback only. A page of a stranger would still reach it, by a name of
 * its own that suddenly means 127.0.0.1 (such a call carries that name as its Host), and so would all callers behind a proxy on this
 * machine.
 */
export async function requireLocalCall(headers: IncomingHttpHeaders, isOpen: () => Promise<boolean>): Promise<void> {
  const header = forwardingHeaderOf(headers);
  if (header === undefined && isLocalName(headers.host)) return;
  if (!(await isOpen())) return;
  throw header === undefined ? new AppError('setup.foreignHost') : new AppError('setup.throughProxy', { header });
}

/** A name that no page elsewhere can have: of this machine, or without a dot, as machines of one network call each other. */
export function isNearName(host: string | undefined): boolean {
  const hostname = hostnameOf(host);
  return hostname !== '' && (isLocal(hostname) || !/[.:]/.test(hostname));
}

const isLocalName = (host: string | undefined): boolean => isLocal(hostnameOf(host));
const isLocal = (hostname: string): boolean => hostname === 'localhost' || isLoopback(hostname);

function hostnameOf(host = ''): string {
  // User info, paths and their like would let the parser find another name than the browser meant.
  if (!/^[\w.:[\]-]+$/.test(host) || !URL.canParse(`http://${host}`)) return '';
  return new URL(`http://${host}`).hostname.replace(/^\[|\]$/g, '');
}
