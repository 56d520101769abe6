import { z } from 'zod';
import { coded } from '../text/coded.ts';

const maxEmailLength = 50;

/**
 * One address in its one form: full-width letters and the many spellings of an international domain reach the same mailbox, so they
 * are the same address wherever one is read. Refused is whatever ends a header, names a second receiver or hides what it is.
 */
export const emailSchema = emailThat(isEmail);

/** Where an address may be left out. A union with the empty text would say that it is not empty, and not what is wrong with it. */
export const emailOrEmptySchema = emailThat((email) => email === '' || isEmail(email));

function emailThat(fits: (email: string) => boolean) {
  return z
    .string()
    .trim()
    .refine((email) => email.length <= maxEmailLength, {
      message: coded('input.maxCharacters', { limit: maxEmailLength }),
    })
    .refine(fits, { message: coded('input.email') })
    .transform((email) => canonicalEmail(email) ?? email);
}

function isEmail(email: string): boolean {
  return canonicalEmail(email) !== undefined;
}

/** An address that is already known, as a user types it: of accounts that share a mailbox the spelling tells which one is meant. */
export const writtenEmailSchema = emailSchema.in;

/** NFKC of the part before the @ and the domain as mail servers know it (UTS 46, `xn--`); undefined for what is not an address. */
export function canonicalEmail(email: string): string | undefined {
  const [local = '', domain = '', ...rest] = email.trim().normalize('NFKC').split('@');
  const ascii = canonicalDomain(domain);
  if (rest.length > 0 || ascii === undefined) return undefined;
  if (!/^[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+(\.[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u.test(local)) return undefined;
  return `${local}@${ascii}`;
}

/** Two addresses with the same key are the same mailbox; what came from elsewhere and is not an address keeps a key of its own. */
export function emailKey(email: string): string {
  return (canonicalEmail(email) ?? email.trim().normalize('NFKC')).toLowerCase().normalize('NFKC');
}

/** `bücher.example` is `xn--bcher-kva.example`. Undefined for a single label, an IP address and what no domain may contain. */
export function canonicalDomain(domain: string): string | undefined {
  // The rules below would take a path, a port or a user name for a part of the address.
  if (domain === '' || /[\s/?#:@\\%[\]<>^|]/.test(domain)) return undefined;
  let ascii: string;
  try {
    // The one UTS 46 that both Node and browsers have.
    ascii = new URL(`http://${domain}`).hostname;
  } catch {
    return undefined;
  }
  const labels = ascii.split('.');
  const isDomain = labels.length >= 2 && labels.every((label) => /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(label));
  return isDomain && !/^\d+$/.test(labels.at(-1) ?? '') ? ascii : undefined;
}
