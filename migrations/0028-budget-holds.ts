import type { Migration, MigrationContext } from '../core/database/migrate.ts';

/**
 * A hold says which budgets it is taken from: a JSON list of `[limit, subject, start of the window, amount]`, empty for most. What is
 * held of a budget is kept by triggers, so that it is right whatever way a hold ends; what was used is booked with the settlement.
 */
export const budgetHolds: Migration = {
  name: '0028-budget-holds',
  async up(context) {
    await context.run("ALTER TABLE quota_holds ADD COLUMN budgets TEXT NOT NULL DEFAULT ''");
    await (context.engine === 'sqlite' ? upSqlite(context) : upPostgres(context));
  },
};

const triggers = {
  insert: { event: 'INSERT', when: "NEW.budgets <> '' AND NEW.state = 0", row: 'NEW', change: 'NEW.amount' },
  update: {
    event: 'UPDATE OF amount, state',
    when: "NEW.budgets <> ''",
    row: 'NEW',
    change: 'CASE NEW.state WHEN 0 THEN NEW.amount ELSE 0 END - CASE OLD.state WHEN 0 THEN OLD.amount ELSE 0 END',
  },
  delete: { event: 'DELETE', when: "OLD.budgets <> '' AND OLD.state = 0", row: 'OLD', change: '0 - OLD.amount' },
};

async function upSqlite({ run }: MigrationContext): Promise<void> {
  for (const [name, { event, when, row, change }] of Object.entries(triggers)) {
    await run(`CREATE TRIGGER quota_holds_${name}_budgeted AFTER ${event} ON quota_holds WHEN ${when} BEGIN
      INSERT INTO limit_usage (limit_id, subject, window_start, held)
      SELECT value ->> 0, value ->> 1, value ->> 2, ${change} FROM json_each(${row}.budgets) WHERE true
      ON CONFLICT (limit_id, subject, window_start) DO UPDATE SET held = limit_usage.held + excluded.held; END`);
  }
}

async function upPostgres({ run }: MigrationContext): Promise<void> {
  for (const [name, { event, when, row, change }] of Object.entries(triggers)) {
    await run(`CREATE FUNCTION hold_budgets_on_${name}() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO limit_usage AS known (limit_id, subject, window_start, held)
        SELECT (part ->> 0)::bigint, part ->> 1, (part ->> 2)::bigint, ${change}
        FROM jsonb_array_elements(${row}.budgets::jsonb) AS part
        ON CONFLICT (limit_id, subject, window_start) DO UPDATE SET held = known.held + excluded.held;
        RETURN NULL;
      END $$`);
    await run(`CREATE TRIGGER quota_holds_${name}_budgeted AFTER ${event} ON quota_holds FOR EACH ROW
      WHEN (${when}) EXECUTE FUNCTION hold_budgets_on_${name}()`);
  }
  await run(changed('ledger_end_holds(jsonb)', endWithBudgets));
  await run(changed('ledger_book_strays(jsonb,text[])', [strayWithBudgets]));
  await run(changed('ledger_book_parked(text)', [parkedWithBudgets]));
  await run(changed('ledger_apply(jsonb)', [lockBudgets]));
  await run(takeHolds);
}

const nowSeconds = 'extract(epoch FROM now())::bigint';
const liveUser = 'status = 1 AND deleted_at IS NULL';
const liveToken = `status = 1 AND deleted_at IS NULL AND (expired_time = -1 OR expired_time > ${nowSeconds})`;

type Change = [before: string, after: string];

/** A function as it stands, with these places changed; fails when one of them is not there. */
function changed(name: string, changes: Change[]): string {
  const steps = changes.map(
    ([before, after]) => `
    IF position($before$${before}$before$ IN definition) = 0 THEN
      RAISE EXCEPTION '% is not as it was expected', '${name}';
    END IF;
    definition := replace(definition, $before$${before}$before$, $after$${after}$after$);`,
  );
  return `DO $do$ DECLARE definition text := pg_get_functiondef('${name}'::regprocedure); BEGIN ${steps.join('')}
    EXECUTE definition; END $do$`;
}

const endWithBudgets: Change[] = [
  ['WHEN 0 THEN hold.amount ELSE 0 END AS held', 'WHEN 0 THEN hold.amount ELSE 0 END AS held, hold.budgets'],
  [
    '), changed_users AS (',
    `), changed_budgets AS (
    UPDATE limit_usage known SET used = known.used + change.used, unlogged = known.unlogged + change.unlogged
    FROM (SELECT (part ->> 0)::bigint AS limit_id, part ->> 1 AS subject, (part ->> 2)::bigint AS window_start,
        sum(actual)::bigint AS used, sum(CASE WHEN logged THEN 0 ELSE actual END)::bigint AS unlogged
      FROM gone CROSS JOIN LATERAL jsonb_array_elements(nullif(budgets, '')::jsonb) AS part
      WHERE counted = 1 GROUP BY 1, 2, 3) change
    WHERE known.limit_id = change.limit_id AND known.subject = change.subject AND known.window_start = change.window_start
  ), changed_users AS (`,
  ],
];

const strayWithBudgets: Change = [
  `parts, state, created_at)
    SELECT id, batch ->> 'owner', user_id, token_id, 0, 1, 0, ${nowSeconds} FROM stray WHERE state = 'booked'`,
  `parts, state, created_at, budgets)
    SELECT stray.id, batch ->> 'owner', stray.user_id, stray.token_id, 0, 1, 0, ${nowSeconds},
      coalesce(item.content ->> 'budgets', '')
    FROM stray JOIN item ON item.id = stray.id WHERE stray.state = 'booked'`,
];

const parkedWithBudgets: Change = [
  `parts, state, created_at)
  VALUES (stray.id, '', stray.user_id, stray.token_id, 0, 1, 0, ${nowSeconds})`,
  `parts, state, created_at, budgets)
  VALUES (stray.id, '', stray.user_id, stray.token_id, 0, 1, 0, ${nowSeconds},
    coalesce(stray.content::jsonb ->> 'budgets', ''))`,
];

// After the subjects, in one order on every node. A batch without budgets does not come here.
const lockBudgets: Change = [
  `  IF jsonb_array_length(batch -> 'ends') > 0 THEN
    ended :=`,
  `  IF batch ? 'budgets' THEN
    INSERT INTO limit_usage (limit_id, subject, window_start)
    SELECT (part ->> 0)::bigint, part ->> 1, (part ->> 2)::bigint FROM jsonb_array_elements(batch -> 'budgets') AS part
    ORDER BY 1, 2, 3 ON CONFLICT DO NOTHING;
    PERFORM 1 FROM limit_usage known JOIN jsonb_array_elements(batch -> 'budgets') AS part
      ON known.limit_id = (part ->> 0)::bigint AND known.subject = part ->> 1 AND known.window_start = (part ->> 2)::bigint
    ORDER BY known.limit_id, known.subject, known.window_start FOR UPDATE OF known;
  END IF;
  IF jsonb_array_length(batch -> 'ends') > 0 THEN
    ended :=`,
];

// As before; holds with budgets go one by one, in order of arrival with those that did not fit together, and each is written before
// the next one is looked at.
const takeHolds = `CREATE OR REPLACE FUNCTION ledger_take_holds(batch jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  rows jsonb := batch -> 'holds';
  refused jsonb := '{}';
  skipped text[] := '{}';
  booked text[] := '{}';
  budgeted int[] := '{}';
  fit_users bigint[];
  fit_tokens bigint[];
  doubtful int[];
  one record;
BEGIN
  IF (batch ->> 'asked')::boolean THEN
    -- A part that is booked already counts as taken; one without its former part cannot be.
    SELECT coalesce(array_agg(item.id), '{}'),
      coalesce(jsonb_object_agg(item.id, 'ended') FILTER (WHERE coalesce(hold.parts, 0) < item.part - 1), '{}')
    INTO skipped, refused
    FROM jsonb_to_recordset(rows) AS item(id text, part int) LEFT JOIN quota_holds hold ON hold.id = item.id
    WHERE coalesce(hold.parts, 0) <> item.part - 1;
  END IF;
  IF batch ? 'budgets' THEN
    SELECT coalesce(array_agg(n), '{}') INTO budgeted
    FROM jsonb_to_recordset(rows) AS item(n int, budgets text) WHERE budgets <> '';
  END IF;

  WITH wanted AS (
    SELECT user_id, sum(amount) AS total
    FROM jsonb_to_recordset(rows) AS item(n int, id text, user_id bigint, amount bigint)
    WHERE NOT id = ANY (skipped) AND NOT n = ANY (budgeted) GROUP BY user_id
  ), taken AS (
    UPDATE users SET quota = quota - wanted.total FROM wanted
    WHERE users.id = wanted.user_id AND ${liveUser} AND quota >= wanted.total RETURNING users.id
  )
  SELECT coalesce(array_agg(id), '{}') INTO fit_users FROM taken;

  WITH wanted AS (
    SELECT token_id, sum(amount) AS total
    FROM jsonb_to_recordset(rows) AS item(n int, id text, user_id bigint, token_id bigint, amount bigint)
    WHERE token_id <> 0 AND user_id = ANY (fit_users) AND NOT id = ANY (skipped) AND NOT n = ANY (budgeted)
    GROUP BY token_id
  ), taken AS (
    UPDATE tokens SET remain_quota = remain_quota - wanted.total FROM wanted
    WHERE tokens.id = wanted.token_id AND ${liveToken} AND (unlimited_quota OR remain_quota >= wanted.total)
    RETURNING tokens.id
  )
  SELECT coalesce(array_agg(id), '{}') INTO fit_tokens FROM taken;
  fit_tokens := fit_tokens || 0::bigint;

  SELECT coalesce(array_agg(n), '{}') INTO doubtful
  FROM jsonb_to_recordset(rows) AS item(n int, id text, user_id bigint, token_id bigint)
  WHERE NOT id = ANY (skipped)
    AND (n = ANY (budgeted) OR NOT (user_id = ANY (fit_users) AND token_id = ANY (fit_tokens)));

  IF cardinality(doubtful) > 0 THEN
    UPDATE users SET quota = quota + back.total
    FROM (SELECT user_id, sum(amount) AS total
      FROM jsonb_to_recordset(rows) AS item(n int, user_id bigint, amount bigint)
      WHERE n = ANY (doubtful) AND NOT n = ANY (budgeted) AND user_id = ANY (fit_users) GROUP BY user_id) back
    WHERE users.id = back.user_id;

    FOR one IN SELECT * FROM jsonb_to_recordset(rows)
        AS item(n int, id text, user_id bigint, token_id bigint, amount bigint, part int, budgets text)
      WHERE n = ANY (doubtful) ORDER BY n
    LOOP
      IF one.budgets <> '' AND EXISTS (
        SELECT 1 FROM jsonb_array_elements(one.budgets::jsonb) AS claim LEFT JOIN limit_usage known
          ON known.limit_id = (claim ->> 0)::bigint AND known.subject = claim ->> 1
            AND known.window_start = (claim ->> 2)::bigint
        WHERE coalesce(known.used + known.held, 0) + one.amount > (claim ->> 3)::bigint)
      THEN
        refused := refused || jsonb_build_object(one.id, 'budget');
        CONTINUE;
      END IF;
      UPDATE users SET quota = quota - one.amount
      WHERE id = one.user_id AND ${liveUser} AND quota >= one.amount;
      IF NOT FOUND THEN
        refused := refused || jsonb_build_object(one.id, 'user');
        CONTINUE;
      END IF;
      IF one.token_id <> 0 THEN
        UPDATE tokens SET remain_quota = remain_quota - one.amount
        WHERE id = one.token_id AND ${liveToken} AND (unlimited_quota OR remain_quota >= one.amount);
        IF NOT FOUND THEN
          UPDATE users SET quota = quota + one.amount WHERE id = one.user_id;
          refused := refused || jsonb_build_object(one.id, 'token');
          CONTINUE;
        END IF;
      END IF;
      CONTINUE WHEN coalesce(one.budgets, '') = '';
      IF one.part = 1 THEN
        INSERT INTO quota_holds (id, owner, user_id, token_id, amount, parts, state, created_at, budgets)
        VALUES (one.id, batch ->> 'owner', one.user_id, one.token_id, one.amount, 1, 0, ${nowSeconds}, one.budgets);
      ELSE
        UPDATE quota_holds SET amount = one.amount + CASE state WHEN 0 THEN amount ELSE 0 END, parts = one.part, state = 0,
          owner = batch ->> 'owner' WHERE id = one.id;
      END IF;
      booked := booked || one.id;
    END LOOP;
  END IF;

  INSERT INTO quota_holds (id, owner, user_id, token_id, amount, parts, state, created_at)
  SELECT id, batch ->> 'owner', user_id, token_id, amount, 1, 0, ${nowSeconds}
  FROM jsonb_to_recordset(rows) AS item(id text, user_id bigint, token_id bigint, amount bigint, part int)
  WHERE part = 1 AND NOT id = ANY (skipped) AND NOT refused ? id AND NOT id = ANY (booked);

  IF (batch ->> 'asked')::boolean THEN
    -- An orphan's old amount was given back already: it lives again with the new part only.
    UPDATE quota_holds hold SET amount = item.amount + CASE hold.state WHEN 0 THEN hold.amount ELSE 0 END,
      parts = item.part, state = 0, owner = batch ->> 'owner'
    FROM jsonb_to_recordset(rows) AS item(id text, amount bigint, part int)
    WHERE hold.id = item.id AND item.part > 1 AND NOT item.id = ANY (skipped) AND NOT refused ? item.id
      AND NOT item.id = ANY (booked);
  END IF;
  RETURN refused;
END $$`;
