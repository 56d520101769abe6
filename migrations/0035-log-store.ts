import type { Migration } from '../core/database/migrate.ts';

/**
 * A database of their own for the rows of the log (LOG_SQL_DSN). The main database says in `log_store` how far that is; in the log
 * database the one row of that table names the installation, and is locked by each change of the log. `log_changes` there keeps what
 * removed rows had counted until the main database has it. `moved_calls` is the evidence of a charge whose row has moved.
 */
export const logStore: Migration = {
  name: '0035-log-store',
  async up({ engine, run }) {
    const withoutRowid = engine === 'sqlite' ? ' WITHOUT ROWID' : '';
    await run(`CREATE TABLE log_store (id TEXT PRIMARY KEY, phase TEXT NOT NULL, copied_id BIGINT NOT NULL DEFAULT 0,
      changed_at BIGINT NOT NULL)`);
    await run('CREATE TABLE log_changes (seq BIGINT PRIMARY KEY, change TEXT NOT NULL)');
    await run(`CREATE TABLE moved_calls (id TEXT PRIMARY KEY, moved_at BIGINT NOT NULL)${withoutRowid}`);
    await run('CREATE INDEX moved_calls_moved_at ON moved_calls (moved_at)');
    if (engine === 'postgres') for (const [before, after] of evidence) await run(changed(before, after));
  },
};

const nowSeconds = 'extract(epoch FROM now())::bigint';
const movedSeconds = 86_400;

/** As `judge` in core/billing/sqlite-stray.ts: a row that has moved is known by its id, for a day. */
const evidence: [before: string, after: string][] = [
  [
    'AND NOT EXISTS (SELECT 1 FROM ended_calls WHERE ended_calls.id = item.id)',
    `AND NOT EXISTS (SELECT 1 FROM ended_calls WHERE ended_calls.id = item.id)
      AND NOT EXISTS (SELECT 1 FROM moved_calls WHERE moved_calls.id = item.id)`,
  ],
  [
    'AND (logged OR at >=',
    `AND (NOT logged OR NOT EXISTS (SELECT 1 FROM log_store) OR at >= ${nowSeconds} - ${movedSeconds})
        AND (logged OR at >=`,
  ],
];

function changed(before: string, after: string): string {
  return `DO $do$ DECLARE definition text := pg_get_functiondef('ledger_book_strays(jsonb,text[])'::regprocedure); BEGIN
    IF position($before$${before}$before$ IN definition) = 0 THEN
      RAISE EXCEPTION 'ledger_book_strays is not as it was expected';
    END IF;
    EXECUTE replace(definition, $before$${before}$before$, $after$${after}$after$); END $do$`;
}
