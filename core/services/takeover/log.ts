import { createHash } from 'node:crypto';
import type { QueryInterfaceOptions } from 'sequelize';
import type { Database } from '../../database/connect.ts';
import type { LogRow } from '../../database/models/log.ts';
import { logType } from '../../schemas/log-type.ts';
import { markHourlySums } from '../ledger/ledger-mark.ts';
import { keepSums } from '../log/kept-sum.ts';
import { forgetRolled } from '../rolled-hour/forget.ts';
import { flagOf, secondsOf, textOf, wholeOf } from './field.ts';
import type { TakeoverSource } from './source.ts';
import type { SourceRow } from './source-reader.ts';
import { createTally, type Taking, type Tally } from './taking.ts';

export interface LogTaking {
  source: TakeoverSource;
  database: Database;
  ids: Taking['ids'];
  now: number;
  signal: AbortSignal | undefined;
}

/** Log rows, which may be millions: each thousand is a transaction, and a second run goes on where the first one ended. What had been kept as a sum of a user, token or channel is in rows again. */
export async function takeLogs({ source, database, ids, now, signal }: LogTaking): Promise<Tally> {
  const tally = createTally('logs');
  await database.transaction((transaction) => markHourlySums(database, { changedAt: now }, transaction));
  for await (const page of source.rows('logs')) {
    if (signal?.aborted) break;
    const rows = page.map((row) => logRow(row, { source, ids }));
    const added = await database.transaction(async (transaction) => {
      const wanted = {
        attributes: ['request_id'],
        raw: true,
        where: { request_id: rows.map((row) => row.request_id ?? '') },
      };
      // In this order: a row that moves to the log database meanwhile is there by then.
      const known = await database.logs.findAll({ ...wanted, transaction });
      const home = await database.logHome();
      if (home !== database) known.push(...(await home.logs.findAll(wanted)));
      const present = new Set(known.map(({ request_id }) => request_id));
      const fresh = rows.filter(({ request_id }) => !present.has(request_id));
      // Without an instance for each row: of a million rows that is an hour.
      const into = database.sequelize.getQueryInterface();
      if (fresh.length > 0) await into.bulkInsert('logs', fresh, { transaction } as QueryInterfaceOptions);
      await forgetRolled(
        database,
        fresh.map(({ created_at }) => created_at),
        transaction,
      );
      await keepSums(
        database,
        fresh.map((row) => ({ ...row, quota: -row.quota })),
        transaction,
      );
      return fresh.length;
    });
    for (let count = 0; count < added; count++) tally.taken();
    tally.present(rows.length - added);
  }
  return tally;
}

function logRow(row: SourceRow, { source, ids }: Pick<LogTaking, 'source' | 'ids'>): Omit<LogRow, 'id'> {
  const other = textOf(row, 'other') || textOf(row, 'metadata');
  return {
    request_id: identity(row),
    user_id: ids.users.get(wholeOf(row, 'user_id')) ?? 0,
    created_at: secondsOf(row, 'created_at'),
    type: typeOf(wholeOf(row, 'type'), source),
    content: textOf(row, 'content'),
    username: textOf(row, 'username'),
    token_id: ids.tokens.get(wholeOf(row, 'token_id')) ?? 0,
    token_name: textOf(row, 'token_name'),
    model_name: textOf(row, 'model_name'),
    quota: wholeOf(row, 'quota'),
    prompt_tokens: wholeOf(row, 'prompt_tokens'),
    completion_tokens: wholeOf(row, 'completion_tokens'),
    use_time: callSeconds(row),
    is_stream: flagOf(row, 'is_stream'),
    channel_id: ids.channels.get(wholeOf(row, 'channel_id')) ?? 0,
    group: textOf(row, 'group'),
    other: other === 'null' ? '' : other,
  };
}

/** one-api and one-hub count milliseconds. */
function callSeconds(row: SourceRow): number {
  const name = ['elapsed_time', 'request_time'].find((column) => column in row);
  return name === undefined ? wholeOf(row, 'use_time') : Math.round(wholeOf(row, name) / 1000);
}

/** What has no type here tells what the system did: 5 is a failed request of new-api, and a channel test of one-api. */
function typeOf(type: number, { kind }: TakeoverSource): number {
  const isKnown = type !== logType.test && Object.values(logType).some((known) => known === type);
  return isKnown && !(type === logType.error && kind === 'one-api') ? type : logType.system;
}

/** The same row gets the same one again, so a second run adds nothing. */
function identity(row: SourceRow): string {
  const parts = ['id', 'created_at', 'type', 'username', 'model_name', 'quota', 'content'].map((name) =>
    textOf(row, name),
  );
  return `import-${createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32)}`;
}
