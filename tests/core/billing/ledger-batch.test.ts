import { afterEach, describe, expect, it } from 'vitest';
import type { Settlement } from '../../../core/billing/settlement.ts';
import { addChannel, addToken, addUser, openLedger, settlementOf } from '../../support/ledger-books.ts';
import { createTemporaryDatabase, engines, type TemporaryDatabase } from '../../support/temporary-database.ts';

type Manner = 'one by one' | 'together';
interface Call {
  id: string;
  userId: number;
  tokenId: number;
  amount: number;
  /** What it ends with; left out = it is released. */
  actual?: number;
  change?(settlement: Settlement): Settlement;
}

const inLog = (text: string) => (settlement: Settlement) => ({
  ...settlement,
  log: settlement.log && { ...settlement.log, content: text, token_name: text, other: JSON.stringify({ text }) },
});
const later = (settlement: Settlement) => ({
  ...settlement,
  accessedAt: settlement.accessedAt + 7200,
  log: settlement.log && { ...settlement.log, created_at: settlement.log.created_at + 7200, is_stream: false },
});
/** At one moment, so that the books of two runs can be compared. */
function settlementAt(seconds: number, call: Parameters<typeof settlementOf>[0]): Settlement {
  const { log, usage, ...settlement } = settlementOf(call);
  return {
    ...settlement,
    accessedAt: seconds,
    log: log && { ...log, created_at: seconds },
    usage: usage && { ...usage, hour: seconds - (seconds % 3600) },
  };
}

const books = [
  'SELECT id, quota, used_quota, request_count FROM users ORDER BY id',
  'SELECT id, remain_quota, used_quota, accessed_time FROM tokens ORDER BY id',
  'SELECT id, used_quota FROM channels ORDER BY id',
  `SELECT request_id, user_id, token_id, channel_id, quota, created_at, type, content, username, token_name, model_name, prompt_tokens,
    completion_tokens, use_time, is_stream, "group", other FROM logs ORDER BY request_id`,
  'SELECT * FROM usage_data ORDER BY user_id, model_name, created_at',
  'SELECT * FROM unlogged_sums ORDER BY subject, subject_id',
  'SELECT id FROM ended_calls ORDER BY id',
  "SELECT name, at FROM ledger_marks WHERE name = 'hourly'",
  'SELECT id, user_id, token_id, amount, state, budgets FROM quota_holds ORDER BY id',
];

describe.each(engines)('a batch on %s', (engine) => {
  const open: TemporaryDatabase[] = [];
  afterEach(() => Promise.all(open.splice(0).map((each) => each.remove())));

  /** Calls of every kind, and what they left: which holds were refused, and all books. */
  async function serve(manner: Manner): Promise<unknown[]> {
    const temporary = await createTemporaryDatabase(engine);
    open.push(temporary);
    const ledger = await openLedger(temporary);
    const { select, sequelize } = temporary.database;
    const rich = await addUser(temporary, ledger, 100_000);
    const poor = await addUser(temporary, ledger, 99);
    const disabled = await addUser(temporary, ledger, 1000);
    const plain = await addToken(temporary, ledger, { userId: rich, quota: 5000 });
    const endless = await addToken(temporary, ledger, { userId: rich, quota: 0, unlimited: true });
    const small = await addToken(temporary, ledger, { userId: rich, quota: 99 });
    const expired = await addToken(temporary, ledger, { userId: rich, quota: 5000 });
    const channelId = await addChannel(temporary);
    await sequelize.query(`UPDATE users SET status = 2 WHERE id = ${disabled}`);
    await sequelize.query(`UPDATE tokens SET expired_time = 1 WHERE id = ${expired}`);

    const call = (name: string, userId: number, tokenId: number, more: Partial<Call> = {}): Call => ({
      ...{ id: `call-${name}`, userId, tokenId, amount: 100, actual: 30 },
      ...more,
    });
    const calls = [
      call('plain', rich, plain),
      call('more-than-held', rich, plain, { actual: 450 }),
      call('free', rich, plain, { actual: 0 }),
      call('released', rich, plain, { actual: undefined }),
      call('endless', rich, endless, { amount: 700, actual: 650 }),
      call('playground', rich, 0),
      call('odd-text', rich, plain, { change: inLog(`'";--\u{1f680} \u0000 ->> [1,{"a":null}]`) }),
      call('another-hour', rich, plain, { change: later }),
      call('no-log', rich, plain, { change: (settlement) => ({ ...settlement, log: undefined }) }),
      call('no-hour', rich, plain, { change: (settlement) => ({ ...settlement, usage: undefined }) }),
      call('neither', rich, plain, { change: (settlement) => ({ ...settlement, log: undefined, usage: undefined }) }),
      call('no-channel', rich, plain, { change: (settlement) => ({ ...settlement, channelId: 0 }) }),
      call('poor-user', poor, 0),
      call('small-token', rich, small),
      call('expired-token', rich, expired),
      call('disabled-user', disabled, 0),
    ];

    const inManner = async <Result>(work: (call: Call) => Promise<Result>, of: Call[]): Promise<Result[]> => {
      if (manner === 'together') return Promise.all(of.map(work));
      const results: Result[] = [];
      for (const each of of) results.push(await work(each));
      return results;
    };
    const hold = ({ id, userId, tokenId, amount }: Call) => ledger.hold({ id, userId, tokenId, amount });
    const held = await inManner(hold, calls);
    const end = async ({ id, userId, tokenId, amount, actual, change }: Call) => {
      if (actual === undefined) return ledger.release({ id, userId, tokenId, held: amount });
      const settlement = { ...settlementAt(1_760_000_000, { id, userId, tokenId, channelId, actual }), held: amount };
      return ledger.settle(change ? change(settlement) : settlement);
    };
    const ended = await inManner(
      end,
      calls.filter((_call, index) => held[index]?.ok),
    );
    expect(await ledger.verify()).toMatchObject({ ok: true });
    const rows = await Promise.all(books.map((sql) => select(sql)));
    await ledger.close();
    return [held, ended, ...rows];
  }

  it('leaves the same books, whether its calls come one by one or together', async () => {
    const apart = await serve('one by one');
    expect(await serve('together')).toEqual(apart);
    const [held, ended] = apart as [{ ok: boolean; refused?: string }[], string[]];
    expect(held.flatMap(({ refused }) => refused ?? [])).toEqual(['user', 'token', 'token', 'user']);
    expect(ended.filter((outcome) => outcome === 'booked')).toHaveLength(11);
  });
});
