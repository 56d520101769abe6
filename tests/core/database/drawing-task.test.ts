import { describe, expect, it } from 'vitest';
import { connect } from '../../../core/database/connect.ts';
import { migrate } from '../../../core/database/migrate.ts';
import { systemActor } from '../../../core/schemas/actor.ts';
import { drawingQuery } from '../../../core/schemas/drawing.ts';
import { createDrawingService } from '../../../core/services/task/drawing.ts';
import { migrations } from '../../../migrations/index.ts';
import { createTemporaryTarget, engines } from '../../support/temporary-database.ts';

const buttons = '[{"customId":"MJ::JOB::upsample::1::x","label":"U1"}]';

describe.each(engines)('drawings of former versions on %s', (engine) => {
  it('are listed as before, with whatever their program wrote', async () => {
    const place = await createTemporaryTarget(engine);
    const before = migrations.findIndex(({ name }) => name.endsWith('drawing-task'));
    await migrate(place.target, migrations.slice(0, before));
    const older = await connect(place.target);
    await older.sequelize.query(
      `INSERT INTO drawings (code, user_id, action, mj_id, prompt, prompt_en, description, submit_time, start_time, finish_time,
         image_url, status, progress, channel_id, quota, buttons, properties)
       VALUES (22, 5, 'IMAGINE', '17', '一只''狐狸', 'a fox', 'd', 1700000000123, 1700000001000, 0,
           'https://cdn.example/17.png', 'SUCCESS', '100%', 3, 50000, :buttons, 'not JSON'),
         (1, 5, 'SWAP_FACE', '18', '', '', '', 1700000000000, 0, 0, '', 'FAILURE', '', 3, 0, '', '{"a":1}')`,
      { replacements: { buttons } },
    );
    await older.close();
    await migrate(place.target, migrations);
    const database = await connect(place.target);
    const links = { forConsole: (_drawing: object, url: string) => url };
    const listed = await createDrawingService({ database, links }).list(systemActor, drawingQuery.parse({}));
    expect(listed).toMatchObject([
      { mj_id: '18', action: 'SWAP_FACE', status: 'FAILURE', progress: '0%', properties: '{"a":1}', buttons: '' },
      {
        code: 22,
        user_id: 5,
        action: 'IMAGINE',
        mj_id: '17',
        prompt: "一只'狐狸",
        prompt_en: 'a fox',
        quota: 50_000,
        submit_time: 1_700_000_000_123,
        start_time: 1_700_000_001_000,
        image_url: 'https://cdn.example/17.png',
        status: 'SUCCESS',
        channel_id: 3,
        properties: '',
      },
    ]);
    expect(JSON.parse(listed[1]?.buttons ?? '')).toEqual(JSON.parse(buttons));
    await database.close();
    await place.remove();
  });
});
