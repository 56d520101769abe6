import { secondsOf, textOf, wholeOf } from './field.ts';
import { createTally, type Taking, type Tally } from './taking.ts';

const defaultQuotaPerUnit = 500_000;

/** Paid orders, as history: what they bought is in the balances. One that was never paid must not be paid here any more. */
export async function takeOrders(taking: Taking): Promise<Tally> {
  const { source, database, transaction, ids } = taking;
  const table = source.kind === 'one-hub' ? 'orders' : 'top_ups';
  const tally = createTally(table);
  const quotaPerUnit = await unitOf(taking);
  for await (const page of source.rows(table)) {
    for (const row of page) {
      const trade_no = textOf(row, 'trade_no');
      const user_id = ids.users.get(wholeOf(row, 'user_id'));
      if (textOf(row, 'status') !== 'success' || trade_no === '') tally.skip('unpaid', trade_no || `#${row.id}`);
      else if (user_id === undefined) tally.skip('noUser', trade_no);
      else if (await database.topUps.findOne({ where: { trade_no }, transaction })) tally.present();
      else {
        const [amount, money] = [wholeOf(row, 'amount'), Number(row.money ?? row.order_amount) || 0];
        const time = secondsOf(row, 'create_time') || secondsOf(row, 'created_at');
        // one-hub says what was credited.
        const quota = wholeOf(row, 'quota') || Math.round(amount * quotaPerUnit);
        const exact = { quota, money_cents: Math.round(money * 100) };
        await database.topUps.create(
          {
            user_id,
            trade_no,
            amount,
            money,
            status: 'success',
            create_time: time,
            complete_time: time,
            ...exact,
          },
          { transaction },
        );
        tally.taken();
      }
    }
  }
  return tally;
}

/** What a unit of money was worth there. */
async function unitOf({ source }: Taking): Promise<number> {
  const row = (await source.all('options')).find(({ key }) => key === 'QuotaPerUnit');
  return Number(row?.value) || defaultQuotaPerUnit;
}
