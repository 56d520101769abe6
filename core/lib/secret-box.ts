import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

/**
 * Encrypts what must be read again (channel keys, API tokens, option secrets) and hashes what must be found again.
 * `aad` names the place, `table.column.rowId`, so that a stored text moved to another row does not open.
 */
export interface SecretBox {
  /** `v1:kid:nonce:ciphertext`, with the first secret. */
  encrypt(plain: string, aad: string): string;
  /** With whichever known secret wrote it; throws SecretUnreadableError. */
  decrypt(text: string, aad: string): string;
  lookupHash(text: string): string;
  /** One per secret, the current one first: a row written before a rotation is still found. */
  lookupHashes(text: string): string[];
  /** 32 bytes that only who knows the secret can make of the text, the same ones each time. */
  derived(text: string): Buffer;
  /** Whether the text was written with the current secret. */
  isCurrent(text: string): boolean;
  /** Of all secrets it knows, the current one first; they tell nothing about the secrets. */
  keyIds: readonly string[];
}

/** The text was written with a secret that is not known here, or for another place, or it was changed. */
export class SecretUnreadableError extends Error {
  readonly place: string;

  constructor(place: string, cause?: unknown) {
    super(`the secret stored at ${place} cannot be decrypted`, { cause });
    this.name = 'SecretUnreadableError';
    this.place = place;
  }
}

interface Keys {
  id: string;
  encryption: Buffer;
  lookup: Buffer;
  repeatable: Buffer;
}

const version = 'v1';
const nonceBytes = 12;
const tagBytes = 16;

export function createSecretBox(secrets: string[]): SecretBox {
  const known = secrets.map(deriveKeys);
  const current = known[0];
  if (!current) throw new Error('a secret box needs at least one secret');
  const hashWith = ({ lookup }: Keys, text: string) => createHmac('sha256', lookup).update(text).digest('hex');

  return {
    encrypt(plain, aad) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', current.encryption, nonce).setAAD(Buffer.from(aad));
      const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return [version, current.id, nonce.toString('base64url'), sealed.toString('base64url')].join(':');
    },
    decrypt(text, aad) {
      const [name, id, nonce, sealed] = text.split(':');
      const keys = known.find((candidate) => candidate.id === id);
      if (name !== version || !keys || !nonce || !sealed) throw new SecretUnreadableError(aad);
      return open(keys, Buffer.from(nonce, 'base64url'), Buffer.from(sealed, 'base64url'), aad);
    },
    lookupHash: (text) => hashWith(current, text),
    lookupHashes: (text) => known.map((keys) => hashWith(keys, text)),
    derived: (text) => createHmac('sha256', current.repeatable).update(text).digest(),
    isCurrent: (text) => text.startsWith(`${version}:${current.id}:`),
    keyIds: known.map(({ id }) => id),
  };
}

function open(keys: Keys, nonce: Buffer, sealed: Buffer, aad: string): string {
  try {
    const decipher = createDecipheriv('aes-256-gcm', keys.encryption, nonce, { authTagLength: tagBytes })
      .setAAD(Buffer.from(aad))
      .setAuthTag(sealed.subarray(-tagBytes));
    return Buffer.concat([decipher.update(sealed.subarray(0, -tagBytes)), decipher.final()]).toString('utf8');
  } catch (error) {
    throw new SecretUnreadableError(aad, error);
  }
}

/** Separate keys per purpose; the id is derived as well, so it tells nothing about the secret itself. */
function deriveKeys(secret: string): Keys {
  const derive = (purpose: string, bytes: number) =>
    Buffer.from(hkdfSync('sha256', secret, '', `tollgate ${purpose}`, bytes));
  return {
    id: derive('key id', 4).toString('hex'),
    encryption: derive('encryption', 32),
    lookup: derive('lookup', 32),
    repeatable: derive('repeatable key', 32),
  };
}
