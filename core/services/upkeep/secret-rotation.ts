import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Op } from 'sequelize';
import type { Database } from '../../database/connect.ts';
import type { ChannelRow } from '../../database/models/channel.ts';
import type { TableModel } from '../../database/models/column.ts';
import { type SecretBox, SecretUnreadableError } from '../../lib/secret-box.ts';
import { writeAll } from '../../lib/write-all.ts';
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
  /** Rewritten with the current key; in a dry run, what would be. */
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
 * Rewrites every stored secret with the first key, and the hashes that keys are found by. Both keys open everything at any
 * moment, so it may be stopped anywhere and run again. What is stored as a hash alone (access tokens, backup codes) cannot be
 * rewritten: it is found by the former key as long as that is known.
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
  try {
    writeAll(handle, `${keys.join('\n')}\n`, draft);
    fsyncSync(handle);
  } catch (error) {
    // A part of a key must not lie about.
    rmSync(draft, { force: true });
    throw error;
  } finally {
    closeSync(handle);
  }
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
  for (const [table, placeOf] of keyTables) {
    // The three have these columns in common, and no other is touched.
    yield* storedKeys(database[table] as unknown as TableModel<KeyRow>, secretBox, placeOf);
  }
  yield* optionSecrets(database);
  yield* webhookSecrets(database);
  yield* twoFactorSecrets(database);
}

const keyTables = [
  ['channels', channelKeyPlace],
  ['tokens', tokenKeyPlace],
  ['redemptions', redemptionKeyPlace],
] as const;

type KeyRow = Pick<ChannelRow, 'id' | 'key_encrypted' | 'key_hash'>;

async function* storedKeys(
  model: TableModel<KeyRow>,
  secretBox: SecretBox,
  placeOf: (id: number) => string,
): AsyncGenerator<Sealed> {
  const read = (after: number) => {
    const where = { id: { [Op.gt]: after }, key_encrypted: { [Op.ne]: '' } };
    const attributes = ['id', 'key_encrypted'];
    return model.findAll({ attributes, where, order: [['id', 'ASC']], limit: batchSize, raw: true });
  };
  for await (const { id, key_encrypted } of inBatches(read, (row) => row.id)) {
    const replace = async (plain: string, sealed: string) => {
      const fields = { key_encrypted: sealed, key_hash: secretBox.lookupHash(plain) };
      await model.update(fields, { where: { id, key_encrypted } });
    };
    yield { text: key_encrypted, place: placeOf(id), replace };
  }
}

async function* optionSecrets({ options }: Database): AsyncGenerator<Sealed> {
  for (const { key, value } of await options.findAll({ raw: true })) {
    if (!isOptionKey(key) || !definitionOf(key).secret) continue;
    const replace = async (_plain: string, sealed: string) => {
      await options.update({ value: sealed }, { where: { key, value } });
    };
    yield { text: value, place: optionPlace(key), replace };
  }
}

async function* webhookSecrets({ users }: Database): AsyncGenerator<Sealed> {
  const read = (after: number) => {
    const where = { id: { [Op.gt]: after }, setting: { [Op.like]: '%"webhook_secret":"v1:%' } };
    const attributes = ['id', 'setting'];
    return users.findAll({ attributes, where, order: [['id', 'ASC']], limit: batchSize, raw: true });
  };
  for await (const { id, setting } of inBatches(read, (row) => row.id)) {
    const stored = JSON.parse(setting) as Record<string, unknown>;
    const replace = async (_plain: string, sealed: string) => {
      const next = JSON.stringify({ ...stored, webhook_secret: sealed });
      await users.update({ setting: next }, { where: { id, setting } });
    };
    yield { text: String(stored.webhook_secret), place: webhookSecretPlace(id), replace };
  }
}

async function* twoFactorSecrets({ twoFactors }: Database): AsyncGenerator<Sealed> {
  const read = (after: number) => {
    const where = { user_id: { [Op.gt]: after } };
    return twoFactors.findAll({ where, order: [['user_id', 'ASC']], limit: batchSize, raw: true });
  };
  for await (const { user_id, secret } of inBatches(read, (row) => row.user_id)) {
    const replace = async (_plain: string, sealed: string) => {
      await twoFactors.update({ secret: sealed }, { where: { user_id, secret } });
    };
    yield { text: secret, place: twoFactorSecretPlace(user_id), replace };
  }
}

async function* inBatches<Row>(
  read: (after: number) => Promise<Row[]>,
  idOf: (row: Row) => number,
): AsyncGenerator<Row> {
  for (let after = 0; ; ) {
    const rows = await read(after);
    yield* rows;
    const last = rows.at(-1);
    if (!last || rows.length < batchSize) return;
    after = idOf(last);
  }
}
