import { AppError } from '../errors/app-error.ts';
import { isLoopback } from '../integrations/outbound/ip-class.ts';

/**
 * While everybody knows root's password the server listens on loopback only, and a page of a stranger would still reach it: by a name
 * of its own that suddenly means 127.0.0.1. Such a call carries that name as its Host.
 */
export async function requireLocalName(host: string | undefined, isOpen: () => Promise<boolean>): Promise<void> {
  if (!isLocalName(host) && (await isOpen())) throw new AppError('setup.foreignHost');
}

function isLocalName(host = ''): boolean {
  // User info, paths and their like would let the parser find another name than the browser meant.
  if (!/^[\w.:[\]-]+$/.test(host) || !URL.canParse(`http://${host}`)) return false;
  const { hostname } = new URL(`http://${host}`);
  return hostname === 'localhost' || isLoopback(hostname.replace(/^\[|\]$/g, ''));
}
