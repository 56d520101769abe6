import type { Migration } from '../core/database/migrate.ts';

/**
 * A month is added while calls are booked. A statement that has looked at the months before that puts its row into `logs_rest`, waits for
 * the lock on it, and is refused afterward, because rows of that month have a place of their own now: its call would end with an error.
 * With the whole log locked first, every writer either is done before, or looks at the months after.
 */
export const logMonthLock: Migration = {
  name: '0038-log-month-lock',
  async up({ engine, run }) {
    if (engine === 'postgres') await run(addMonth);
  },
};

const uniqueOfPart = 'PRIMARY KEY (id), UNIQUE (request_id)';

// As in 0029, with the first lock. It lets everyone read.
const addMonth = `CREATE OR REPLACE FUNCTION logs_add_month(month bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  name text := 'logs_' || to_char(to_timestamp(month) AT TIME ZONE 'UTC', 'YYYY_MM');
  until bigint := logs_month(month, 1);
BEGIN
  LOCK TABLE ONLY logs IN SHARE ROW EXCLUSIVE MODE;
  LOCK TABLE logs_rest IN ACCESS EXCLUSIVE MODE;
  IF to_regclass(name) IS NOT NULL THEN
    RETURN;
  END IF;
  EXECUTE format('CREATE TABLE %I (LIKE logs INCLUDING DEFAULTS INCLUDING STORAGE, ${uniqueOfPart})', name);
  EXECUTE format('WITH moved AS (DELETE FROM logs_rest WHERE created_at >= %s AND created_at < %s RETURNING *)
    INSERT INTO %I SELECT * FROM moved', month, until, name);
  EXECUTE format('ALTER TABLE logs ATTACH PARTITION %I FOR VALUES FROM (%s) TO (%s)', name, month, until);
END $$`;
