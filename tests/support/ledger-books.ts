import { createLedger, type Ledger, type LedgerDependencies } from '../../core/billing/ledger.ts';
import type { Settlement } from '../../core/billing/settlement.ts';
import type { TemporaryDatabase } from './temporary-database.ts';

export interface Alarm {
  text: string;
  fields: Record<string, unknown>;
}

/** A ledger on a temporary database, with what it had to say. */
export async function openLedger(
  { target, directory }: Pick<TemporaryDatabase, 'target' | 'directory'>,
  extra: Partial<LedgerDependencies> = {},
): Promise<Ledger & { alarms: Alarm[]; lines: string[] }> {
  const alarms: Alarm[] = [];
  const lines: string[] = [];
  const ledger = await createLedger({
    database: target,
    dataDirectory: directory,
    log: (_level, _fields, text) => lines.push(text),
    onAlarm: (text, fields) => alarms.push({ text, fields }),
    ...extra,
  });
  return { ...ledger, alarms, lines };
}

let names = 0;

export async function addUser({ database }: TemporaryDatabase, ledger: Ledger, quota: number): Promise<number> {
  const name = `user${++names}`;
  const id = await insert(database, 'users', `(username, username_key, password) VALUES ('${name}', '${name}', 'x')`);
  if (quota !== 0) await ledger.credit({ userId: id, kind: 'top_up', ref: `start-${id}`, amount: quota, actorId: 1 });
  return id;
}

export async function addToken(
  { database }: TemporaryDatabase,
  ledger: Ledger,
  { userId, quota, unlimited = false }: { userId: number; quota: number; unlimited?: boolean },
): Promise<number> {
  const name = `token${++names}`;
  const tokenId = await insert(
    database,
    'tokens',
    `(user_id, key_hash, name, unlimited_quota) VALUES (${userId}, '${name}', '${name}', ${unlimited})`,
  );
  if (quota !== 0) {
    await ledger.credit({ userId, tokenId, kind: 'token_grant', ref: `start-${tokenId}`, amount: quota, actorId: 1 });
  }
  return tokenId;
}

export async function addChannel({ database }: TemporaryDatabase): Promise<number> {
  return insert(database, 'channels', "(name) VALUES ('upstream')");
}

async function insert(
  { sequelize, select }: TemporaryDatabase['database'],
  table: string,
  row: string,
): Promise<number> {
  await sequelize.query(`INSERT INTO ${table} ${row}`);
  const [newest] = await select<{ id: number }>(`SELECT max(id) AS id FROM ${table}`);
  return newest?.id ?? 0;
}

/** A settlement as the relay sends it, with log row and hourly sum. */
export function settlementOf(call: Pick<Settlement, 'id' | 'userId' | 'tokenId' | 'channelId' | 'actual'>): Settlement {
  const seconds = Math.floor(Date.now() / 1000);
  return {
    ...call,
    accessedAt: seconds,
    log: {
      created_at: seconds,
      content: 'model ratio 1',
      username: `user${call.userId}`,
      token_name: 'token',
      model_name: 'orbit-large',
      prompt_tokens: 10,
      completion_tokens: 20,
      use_time: 1,
      is_stream: true,
      group: 'default',
      other: '{"model_ratio":1}',
    },
    usage: {
      model_name: 'orbit-large',
      username: `user${call.userId}`,
      hour: seconds - (seconds % 3600),
      token_used: 30,
    },
  };
}

/** A song that was just submitted, as the ledger stores it with its charge. */
export const songJob = {
  platform: 'suno',
  action: 'MUSIC',
  model: 'orbit-large',
  group: 'default',
  status: 'NOT_START' as const,
  progress: '0%',
  submit_time: 1_700_000_000,
  next_poll_at: 1_700_000_015,
  properties: '',
  data: '',
};

export interface Books {
  quota: number;
  used_quota: number;
  request_count: number;
}

export async function booksOf({ database }: TemporaryDatabase, userId: number): Promise<Books> {
  const [row] = await database.select<Books>(`SELECT quota, used_quota, request_count FROM users WHERE id = ${userId}`);
  return row ?? { quota: Number.NaN, used_quota: Number.NaN, request_count: Number.NaN };
}

export async function tokenBooksOf(
  { database }: TemporaryDatabase,
  tokenId: number,
): Promise<{ remain_quota: number; used_quota: number }> {
  const [row] = await database.select<{ remain_quota: number; used_quota: number }>(
    `SELECT remain_quota, used_quota FROM tokens WHERE id = ${tokenId}`,
  );
  return row ?? { remain_quota: Number.NaN, used_quota: Number.NaN };
}

export async function countOf({ database }: TemporaryDatabase, from: string): Promise<number> {
  const [row] = await database.select<{ count: number }>(`SELECT count(*) AS count FROM ${from}`);
  return Number(row?.count);
}
