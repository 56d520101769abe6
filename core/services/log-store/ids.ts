import type { Transaction } from 'sequelize';
import type { Database } from '../../database/connect.ts';

/** Ids of the log are given in the main database; no row there gets one up to `last` from now on. */
export async function skipLogIds(main: Database, last: number, transaction?: Transaction): Promise<void> {
  const run = (sql: string) => main.sequelize.query(sql, { replacements: { last }, transaction });
  if (main.engine === 'sqlite') {
    await run(`INSERT INTO sqlite_sequence (name, seq)
      SELECT 'logs', 0 WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'logs')`);
    await run("UPDATE sqlite_sequence SET seq = :last WHERE name = 'logs' AND seq < :last");
    return;
  }
  await run(`SELECT setval(sequence, :last) FROM (SELECT pg_get_serial_sequence('logs', 'id')::regclass AS sequence) AS logs
    WHERE coalesce(pg_sequence_last_value(sequence), 0) < :last`);
}
