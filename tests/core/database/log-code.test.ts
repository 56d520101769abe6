import { describe, expect, it } from 'vitest';
import { connect } from '../../../core/database/connect.ts';
import { migrate } from '../../../core/database/migrate.ts';
import { wordsIn } from '../../../core/text/text.ts';
import { migrations } from '../../../migrations/index.ts';
import { createTemporaryTarget, engines } from '../../support/temporary-database.ts';

/** Type, what a former version wrote, and how a Chinese reader finds it. */
const rows: [type: number, content: string, chinese: string][] = [
  [1, 'redeemed code #7', '兑换码 #7 充值'],
  [1, 'online top-up, paid 7.30', '在线充值，支付金额 7.30'],
  [4, 'gift for a new user', '新用户注册赠送'],
  [3, 'quota changed by +500', '管理员调整额度 +500'],
  [3, 'quota changed by -5: it\'s {id}: $1 \\ "x"', '管理员调整额度 -5：it\'s {id}: $1 \\ "x"'],
  [4, 'failed task song-1 refunded, request r-1', '任务 song-1 失败，额度已退还，请求 r-1'],
  [4, 'Held quota 900 returned after an unclean stop, request r-2', '异常停止后退还预扣额度 900，请求 r-2'],
  [3, 'redeemed code #7 by another program', 'redeemed code #7 by another program'],
  [2, 'redeemed code #7', 'redeemed code #7'],
];

describe.each(engines)('log rows of former versions on %s', (engine) => {
  it('are read in either language, and calls are left as they are', async () => {
    const place = await createTemporaryTarget(engine);
    const before = migrations.findIndex(({ name }) => name.endsWith('log-code'));
    await migrate(place.target, migrations.slice(0, before));
    const older = await connect(place.target);
    for (const [type, content] of rows) {
      const replacements = { type, content };
      await older.sequelize.query('INSERT INTO logs (created_at, type, content) VALUES (7, :type, :content)', {
        replacements,
      });
    }
    await older.close();
    await migrate(place.target, migrations);
    const database = await connect(place.target);
    const found = await database.select<{ content: string }>('SELECT content FROM logs ORDER BY id');
    expect(found.map(({ content }) => wordsIn('en', content))).toEqual(
      rows.map(([, english, chinese]) =>
        chinese === english ? english : english.replace(/^./, (letter) => letter.toUpperCase()),
      ),
    );
    expect(found.map(({ content }) => wordsIn('zh', content))).toEqual(rows.map(([, , chinese]) => chinese));
    if (engine === 'postgres') {
      const [sweep] = await database.select<{ text: string }>(
        `SELECT pg_get_functiondef('ledger_sweep(text[],text)'::regprocedure) AS text`,
      );
      expect(sweep?.text).toContain('log.holdReturned');
    }
    await database.close();
    await place.remove();
  });
});
