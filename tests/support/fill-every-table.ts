import type { Database } from '../../core/database/connect.ts';

interface Column {
  name: string;
  type: string;
}

/** What the ledger adds up, and what tells processes of each other: a row that belongs to nothing would be a difference. */
const leftOut = ['migrations', 'move_marks', 'changes', 'ledger_owners', 'usage_data', 'logs', 'users', 'tokens'];

const isMonthOfLog = (table: string) => table.startsWith('logs_');

/** One row more in each table that is empty, with a text that is hard to carry over. */
export async function fillEveryTable(database: Database): Promise<void> {
  const tables = await database.sequelize.getQueryInterface().showAllTables();
  for (const table of tables.map(String).filter((name) => !leftOut.includes(name) && !isMonthOfLog(name))) {
    const [{ count } = { count: 0 }] = await database.select<{ count: number }>(
      `SELECT count(*) AS count FROM "${table}"`,
    );
    if (Number(count) > 0) continue;
    const described = await database.sequelize.getQueryInterface().describeTable(table);
    const columns = Object.entries(described).map(([name, { type }]): Column => ({ name, type: String(type) }));
    const row = Object.fromEntries(columns.map((column) => [column.name, valueFor(table, column)]));
    await database.sequelize.getQueryInterface().bulkInsert(table, [row]);
  }
}

function valueFor(table: string, { name, type }: Column): string | number | boolean {
  // Given back already, so that no server has to end it.
  if (table === 'quota_holds' && name === 'state') return 1;
  if (table === 'stray_settlements' && name === 'state') return 'booked';
  // A hold that names no budget, and a budget of which no open hold takes anything.
  if (table === 'quota_holds' && name === 'budgets') return '';
  if (table === 'limit_usage' && name === 'held') return 0;
  // The log was in another database once.
  if (table === 'log_store' && name === 'phase') return 'returned';
  if (/bool|tinyint/i.test(type)) return true;
  if (/double/i.test(type)) return 0.1;
  // What is old is tidied away by the next command.
  if (name === 'ended_at' || (table === 'quota_holds' && name === 'created_at')) return 4_000_000_000;
  if (/int/i.test(type)) return table === 'quota_holds' || table === 'unlogged_sums' ? 0 : 7;
  return `${name}: "quotes", 'more', \\ line\n漢字 🜁 ${table}`;
}
