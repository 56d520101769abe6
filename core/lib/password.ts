import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

export interface PasswordCost {
  N: number;
  r: number;
  p: number;
}

/** N=2^15, r=8, p=3: 32 MiB and about a quarter of a second of one core. */
export const shippedCost: Readonly<PasswordCost> = { N: 2 ** 15, r: 8, p: 3 };
let cost = shippedCost;

/** For tests, which hash hundreds of passwords. Each hash carries the cost it was made with. */
export function setPasswordCost(chosen: Readonly<PasswordCost>): void {
  cost = chosen;
}

/** Node's own limit of 32 MiB is just too small for these parameters. */
const maxMemory = 64 * 1024 * 1024;
const hashBytes = 32;
const queueLimit = 20;

export class PasswordQueueError extends Error {
  constructor() {
    super('too many passwords wait to be checked');
    this.name = 'PasswordQueueError';
  }
}

export interface PasswordCheck {
  ok: boolean;
  /** The stored hash is of an older kind; the caller stores a new one while it has the plain text. */
  needsRehash: boolean;
}

/** `$scrypt$N=32768,r=8,p=3$salt$hash`. Throws PasswordQueueError when too many wait already. */
export function hashPassword(plain: string): Promise<string> {
  return oneAtATime(async () => {
    const salt = randomBytes(16);
    const hash = await derive(plain, salt, cost);
    return ['', 'scrypt', `N=${cost.N},r=${cost.r},p=${cost.p}`, encode(salt), encode(hash)].join('$');
  });
}

/** Verifies our own hashes and the bcrypt ones of imported accounts. Throws PasswordQueueError when too many wait already. */
export function verifyPassword(plain: string, stored: string): Promise<PasswordCheck> {
  return oneAtATime(async () => {
    if (/^\$2[ab]\$/.test(stored)) return { ok: await matchesBcrypt(plain, stored), needsRehash: true };
    const parsed = parse(stored);
    if (!parsed) return { ok: false, needsRehash: false };
    const hash = await derive(plain, parsed.salt, parsed.cost);
    const needsRehash = parsed.cost.N < cost.N || parsed.cost.r < cost.r || parsed.cost.p < cost.p;
    return { ok: hash.length === parsed.hash.length && timingSafeEqual(hash, parsed.hash), needsRehash };
  });
}

/** Only accounts that were imported, and have not signed in since, have such a hash. */
async function matchesBcrypt(plain: string, stored: string): Promise<boolean> {
  const { default: bcrypt } = await import('bcryptjs');
  return bcrypt.compare(plain, stored);
}

/** The work of one verification, for accounts that do not exist, so that the time taken does not tell. */
export async function spendVerification(plain: string): Promise<void> {
  await oneAtATime(() => derive(plain, Buffer.alloc(16), cost));
}

function parse(stored: string): { cost: PasswordCost; salt: Buffer; hash: Buffer } | undefined {
  const match = /^\$scrypt\$N=(\d{1,7}),r=(\d{1,2}),p=(\d{1,2})\$([\w-]+)\$([\w-]+)$/.exec(stored);
  if (!match?.[4] || !match[5]) return undefined;
  return {
    cost: { N: Number(match[1]), r: Number(match[2]), p: Number(match[3]) },
    salt: Buffer.from(match[4], 'base64url'),
    hash: Buffer.from(match[5], 'base64url'),
  };
}

function derive(plain: string, salt: Buffer, { N, r, p }: PasswordCost): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(plain, salt, hashBytes, { N, r, p, maxmem: maxMemory }, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}

const encode = (bytes: Buffer) => bytes.toString('base64url');

let waiting = 0;
let last: Promise<unknown> = Promise.resolve();

/** Hashing shares the thread pool with SQLite: a queue of one keeps a flood of sign-ins from stopping everything else. */
function oneAtATime<T>(work: () => Promise<T>): Promise<T> {
  // One is at work, the others wait.
  if (waiting > queueLimit) return Promise.reject(new PasswordQueueError());
  waiting++;
  const result = last.then(work).finally(() => {
    waiting--;
  });
  // The chain goes on after a failure; the caller of that one has been told.
  last = result.catch(() => undefined);
  return result;
}
