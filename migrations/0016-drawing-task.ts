import type { Migration } from '../core/database/migrate.ts';

/** Drawings become paid jobs like any other: one table, one way to charge, follow and refund them. */
export const drawingTasks: Migration = {
  name: '0016-drawing-task',
  async up({ engine, run }) {
    const [object, isJson] =
      engine === 'sqlite' ? ['json_object', 'json_valid'] : ['jsonb_build_object', 'pg_temp.tollgate_is_json'];
    const parsed = (column: string) =>
      `CASE WHEN ${isJson}(${column}) THEN ${engine === 'sqlite' ? `json(${column})` : `${column}::jsonb`} END`;
    if (engine === 'postgres') await run(isJsonFunction);
    await run(`INSERT INTO tasks (request_id, created_at, updated_at, task_id, platform, user_id, token_id, channel_id, quota, action,
        model, status, fail_reason, submit_time, start_time, finish_time, progress, properties, data)
      SELECT request_id, submit_time / 1000, submit_time / 1000, mj_id, 'mj', user_id, token_id, channel_id, quota, action,
        CASE action WHEN 'SWAP_FACE' THEN 'swap_face' ELSE 'mj_' || lower(action) END, status, fail_reason,
        submit_time / 1000, start_time / 1000, finish_time / 1000, progress,
        CAST(${object}('input', prompt, 'code', code) AS TEXT),
        CAST(${object}('promptEn', prompt_en, 'description', description, 'state', state, 'submitTime', submit_time,
          'startTime', start_time, 'finishTime', finish_time, 'imageUrl', image_url,
          'buttons', ${parsed('buttons')}, 'properties', ${parsed('properties')}) AS TEXT)
      FROM drawings ORDER BY id`);
    await run('DROP TABLE drawings');
  },
};

// Imported rows hold whatever their program wrote.
const isJsonFunction = `CREATE FUNCTION pg_temp.tollgate_is_json(value text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM value::jsonb;
  RETURN true;
EXCEPTION WHEN others THEN
  RETURN false;
END $$`;
