import { describe, expect, it } from 'vitest';
import { connect } from '../../../core/database/connect.ts';
import { migrate } from '../../../core/database/migrate.ts';
import { infoIn } from '../../../core/services/channel/view.ts';
import { migrations } from '../../../migrations/index.ts';
import { createTemporaryTarget, engines } from '../../support/temporary-database.ts';

/** What a former version wrote, and how a reader of each language finds it. */
const reasons: [stored: string, english: string, chinese: string][] = [
  [
    'answered in 12.30 s, the limit is 10 s',
    'the response took 12.30 s, the limit is 10 s',
    '响应用时 12.30 秒，超过上限 10 秒',
  ],
  ['the balance is used up (-0.5 USD)', 'the balance is used up (-0.5 USD)', '余额已用尽（-0.5 USD）'],
  ["401 it's not a key: answered in 1 s", "401 it's not a key: answered in 1 s", "401 it's not a key: answered in 1 s"],
];

describe.each(engines)('why a channel was switched off by a former version on %s', (engine) => {
  it('is read in either language, and what an upstream said is left as it is', async () => {
    const place = await createTemporaryTarget(engine);
    const before = migrations.findIndex(({ name }) => name.endsWith('switch-off-reason'));
    await migrate(place.target, migrations.slice(0, before));
    const older = await connect(place.target);
    const texts = [
      ...reasons.map(([status_reason]) => JSON.stringify({ status_reason, status_time: 7 })),
      '',
      'status_reason',
    ];
    for (const info of texts) {
      await older.sequelize.query(`INSERT INTO channels (name, status, other_info) VALUES ('c', 3, :info)`, {
        replacements: { info },
      });
    }
    await older.close();
    await migrate(place.target, migrations);
    const database = await connect(place.target);
    const found = await database.select<{ other_info: string }>('SELECT other_info FROM channels ORDER BY id');
    const reasonIn = (language: 'en' | 'zh', text: string) => JSON.parse(infoIn(language, text)).status_reason;
    const own = found.slice(0, reasons.length).map(({ other_info }) => other_info);
    expect(own.map((text) => reasonIn('en', text))).toEqual(reasons.map(([, english]) => english));
    expect(own.map((text) => reasonIn('zh', text))).toEqual(reasons.map(([, , chinese]) => chinese));
    expect(own.every((text) => JSON.parse(text).status_time === 7)).toBe(true);
    expect(found.slice(reasons.length).map(({ other_info }) => other_info)).toEqual(['', 'status_reason']);
    await database.close();
    await place.remove();
  });
});
