import { Op } from 'sequelize';
import type { Database } from '../database/connect.ts';
import { AppError } from '../errors/app-error.ts';
import { type Clock, nowSeconds } from '../lib/clock.ts';
import type { JsonObject } from '../lib/json-value.ts';
import { randomAlphanumerics } from '../lib/random-key.ts';
import type { SecretBox } from '../lib/secret-box.ts';

/** The caller who asks for a secret, and pays for its sessions. */
interface SecretOwner {
  userId: number;
  tokenId: number;
  pinnedChannelId: number | undefined;
}

/** What a client secret opens: sessions of one token, on one model, with these settings to begin with. */
export interface SecretContent {
  model: string;
  settings: JsonObject;
  /** Made for the beta of the interface. */
  isBeta: boolean;
}

export interface OpenedSecret extends SecretContent {
  tokenId: number;
  pinnedChannelId: number | undefined;
}

export interface RealtimeSecretService {
  /** A new secret of the caller's token; only its hash is stored. Throws `realtime.tooManySecrets`. */
  issue(
    owner: SecretOwner,
    content: SecretContent,
    lifeSeconds: number,
  ): Promise<{ value: string; expiresAtSeconds: number }>;
  /** As often as it is asked until the secret expires. Throws `realtime.secretUnknown`. */
  open(value: string): Promise<OpenedSecret>;
}

interface RealtimeSecretDependencies {
  database: Database;
  secretBox: SecretBox;
  now?: Clock;
}

const prefix = 'ek_';
const pattern = /^ek_[\dA-Za-z]{48}$/;
const purpose = 'realtime_secret';
/** Rows of one token that are not expired: making them is free. */
const maxPerToken = 1000;

/** Whether a credential is a client secret, good or not, and not an API key. */
export const isRealtimeSecret = (credential: string): boolean => credential.startsWith(prefix);

/** Short-lived secrets that a server asks for and gives to a browser, so that its API key stays at home. */
export function createRealtimeSecretService({
  database,
  secretBox,
  now = nowSeconds,
}: RealtimeSecretDependencies): RealtimeSecretService {
  const textOf = (value: string) => `realtime secret ${value}`;
  // Instructions are a customer's words, so they are not stored in clear.
  const placeOf = (hash: string) => `one_time_codes.data.${hash}`;

  async function refuseTooMany(subject: string): Promise<void> {
    const live = await database.oneTimeCodes.count({ where: { purpose, subject, expires_at: { [Op.gt]: now() } } });
    if (live >= maxPerToken)
      throw new AppError('realtime.tooManySecrets', { max: maxPerToken }, { retryAfterSeconds: 60 });
  }

  return {
    async issue({ userId, tokenId, pinnedChannelId }, content, lifeSeconds) {
      const subject = String(tokenId);
      await refuseTooMany(subject);
      const value = `${prefix}${randomAlphanumerics(48)}`;
      const code_hash = secretBox.lookupHash(textOf(value));
      const created_at = now();
      const expires_at = created_at + lifeSeconds;
      const data = secretBox.encrypt(JSON.stringify({ ...content, pinnedChannelId }), placeOf(code_hash));
      await database.oneTimeCodes.create({
        code_hash,
        purpose,
        subject,
        user_id: userId,
        created_at,
        expires_at,
        data,
      });
      return { value, expiresAtSeconds: expires_at };
    },

    async open(value) {
      const row = pattern.test(value)
        ? await database.oneTimeCodes.findOne({
            where: { code_hash: secretBox.lookupHashes(textOf(value)), purpose, expires_at: { [Op.gt]: now() } },
            raw: true,
          })
        : null;
      if (!row) throw new AppError('realtime.secretUnknown');
      const content = JSON.parse(secretBox.decrypt(row.data, placeOf(row.code_hash))) as Omit<OpenedSecret, 'tokenId'>;
      return { ...content, pinnedChannelId: content.pinnedChannelId, tokenId: Number(row.subject) };
    },
  };
}
