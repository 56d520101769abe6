import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from '../../database/connect.ts';
import { type SecretBox, SecretUnreadableError } from '../../lib/secret-box.ts';
import { type Actor, role } from '../../schemas/actor.ts';
import { definitionOf, isOptionKey } from '../../schemas/option.ts';
import { requireRole } from '../actor.ts';
import type { AuditService } from '../audit.ts';
import { optionPlace } from '../option/value.ts';
import { channelKeyPlace } from '../routing.ts';
import { twoFactorSecretPlace } from '../sign-in/two-factor.ts';
import { tokenKeyPlace } from '../token/token.ts';
import { webhookSecretPlace } from '../user/self.ts';
import { redemptionKeyPlace } from '../wallet/redemption.ts';

export interface RotationReport {
  /** Written anew with the current key; in a dry run, what would be. */
  changed: number;
  /** Written with the current key already. */
  current: number;
  /** Places of secrets that no known key opens; they stay as they are. */
  unreadable: string[];
}

export interface RotationDependencies {
  database: Database;
  /** The new key first, every former one behind it. */
  secretBox: SecretBox;
  audit: Pick<AuditService, 'record'>;
}

/** One stored secret, and how it is replaced while it is still the one that was read. */
interface Sealed {
  text: string;
  place: string;
  replace(plain: string, sealed: string): Promise<void>;
}

const batchSize = 200;

/**
 * Writes every stored secret anew with the first key, and the hashes that keys are found by. Both keys open everything at any
 * moment, so it may be stopped anywhere and run again. What is stored as a hash alone (access tokens, backup codes) cannot be
 * written anew: it is found by the former key as long as that is known.
 */
export async function rotateSecrets(
  actor: Actor,
  { database, secretBox, audit }: RotationDependencies,
  { dryRun, signal, onSecret }: { dryRun: boolean; signal?: AbortSignal; onSecret(done: number): void },
): Promise<RotationReport> {
  requireRole(actor, role.root);
  const report: RotationReport = { changed: 0, current: 0, unreadable: [] };
  let done = 0;
  for await (const secret of storedSecrets(database, secretBox)) {
    if (signal?.aborted) break;
    onSecret(++done);
    if (secretBox.isCurrent(secret.text)) {
      report.current++;
      continue;
    }
    const plain = openOrUndefined(secretBox, secret);
    if (plain === undefined) {
      report.unreadable.push(secret.place);
      continue;
    }
    if (!dryRun) await secret.replace(plain, secretBox.encrypt(plain, secret.place));
    report.changed++;
  }
  if (!dryRun && report.changed > 0) {
    const after = { changed: report.changed, unreadable: report.unreadable.length };
    await audit.record(actor, { action: 'secret.rotate', id: '', after });
  }
  return report;
}

/** The master key file with a new key in front; the former ones go on opening what they wrote. Whole or not at all. */
export function addMasterKey(directory: string, known: readonly string[]): string[] {
  const keys = [randomBytes(32).toString('hex'), ...known];
  writeMasterKey(directory, keys);
  return keys;
}

export function writeMasterKey(directory: string, keys: readonly string[]): void {
  const path = join(directory, 'master.key');
  const draft = `${path}.${process.pid}`;
  const handle = openSync(draft, 'w', 0o600);
  writeSync(handle, `${keys.join('\n')}\n`);
  fsyncSync(handle);
  closeSync(handle);
  renameSync(draft, path);
}

function openOrUndefined(secretBox: SecretBox, { text, place }: Sealed): string | undefined {
  try {
    return secretBox.decrypt(text, place);
  } catch (error) {
    if (error instanceof SecretUnreadableError) return undefined;
    throw error;
  }
}

async function* storedSecrets(database: Database, secretBox: SecretBox): AsyncGenerator<Sealed> {
  for (const [table, placeOf] of keyTables) yield* storedKeys(database, secretBox, table, placeOf);
  yield* optionSecrets(database);
  yield* webhookSecrets(database);
  yield* twoFactorSecrets(database);
}

const keyTables = [
  ['channels', channelKeyPlace],
  ['tokens', tokenKeyPlace],
  ['redemptions', redemptionKeyPlace],
] as const;

async function* storedKeys(
  database: Database,
  secretBox: SecretBox,
  table: (typeof keyTables)[number][0],
  placeOf: (id: number) => string,
): AsyncGenerator<Sealed> {
  const sql = `SELECT id, key_encrypted AS text FROM ${table} WHERE id > :after AND key_encrypted <> ''`;
  for await (const { id, text } of inBatches<{ id: number; text: string }>(database, sql, 'id')) {
    const replace = async (plain: string, sealed: string) => {
      await change(
        database,
        `UPDATE ${table} SET key_encrypted = :sealed, key_hash = :hash WHERE id = :id AND key_encrypted = :text`,
        { id, text, sealed, hash: secretBox.lookupHash(plain) },
      );
    };
    yield { text, place: placeOf(id), replace };
  }
}

async function* optionSecrets(database: Database): AsyncGenerator<Sealed> {
  const rows = await database.select<{ key: string; text: string }>('SELECT key, value AS text FROM options');
  for (const { key, text } of rows) {
    if (!isOptionKey(key) || !definitionOf(key).secret) continue;
    const sql = 'UPDATE options SET value = :sealed WHERE key = :key AND value = :text';
    const replace = (_plain: string, sealed: string) => change(database, sql, { key, text, sealed });
    yield { text, place: optionPlace(key), replace };
  }
}

async function* webhookSecrets(database: Database): AsyncGenerator<Sealed> {
  const sql = `SELECT id, setting FROM users WHERE id > :after AND setting LIKE '%"webhook_secret":"v1:%'`;
  for await (const { id, setting } of inBatches<{ id: number; setting: string }>(database, sql, 'id')) {
    const stored = JSON.parse(setting) as Record<string, unknown>;
    const replace = (_plain: string, sealed: string) => {
      const next = JSON.stringify({ ...stored, webhook_secret: sealed });
      return change(database, 'UPDATE users SET setting = :next WHERE id = :id AND setting = :setting', {
        id,
        setting,
        next,
      });
    };
    yield { text: String(stored.webhook_secret), place: webhookSecretPlace(id), replace };
  }
}

async function* twoFactorSecrets(database: Database): AsyncGenerator<Sealed> {
  const sql = 'SELECT user_id AS id, secret AS text FROM two_factors WHERE user_id > :after';
  for await (const { id, text } of inBatches<{ id: number; text: string }>(database, sql, 'user_id')) {
    const update = 'UPDATE two_factors SET secret = :sealed WHERE user_id = :id AND secret = :text';
    const replace = (_plain: string, sealed: string) => change(database, update, { id, text, sealed });
    yield { text, place: twoFactorSecretPlace(id), replace };
  }
}

async function* inBatches<T extends { id: number }>(
  database: Database,
  sql: string,
  column: string,
): AsyncGenerator<T> {
  for (let after = 0; ; ) {
    const rows = await database.select<T>(`${sql} ORDER BY ${column} LIMIT ${batchSize}`, { after });
    yield* rows;
    const last = rows.at(-1);
    if (!last || rows.length < batchSize) return;
    after = last.id;
  }
}

async function change(database: Database, sql: string, replacements: Record<string, unknown>): Promise<void> {
  await database.sequelize.query(sql, { replacements });
}
