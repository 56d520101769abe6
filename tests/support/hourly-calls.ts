import type { Database } from '../../core/database/connect.ts';
import { hourOf } from '../../core/lib/clock.ts';

export interface HourlyCall {
  user: number;
  model: string;
  channel: number;
  /** Unix seconds. */
  at: number;
  quota: number;
  prompt: number;
  completion: number;
  other: string;
}

let numbers = 0;

/** Calls as a settlement books them; `only` one of their two sides where the other one was switched off. */
export async function addCalls(
  main: Database,
  calls: HourlyCall[],
  { only, logs = main }: { only?: 'rows' | 'sums'; logs?: Database } = {},
): Promise<void> {
  if (calls.length === 0) return;
  const rows = calls.map(({ user, model, channel, at, quota, prompt, completion, other }) => ({
    request_id: `call-${++numbers}`,
    user_id: user,
    username: `user ${user}`,
    created_at: at,
    type: 2,
    channel_id: channel,
    model_name: model,
    quota,
    prompt_tokens: prompt,
    completion_tokens: completion,
    other,
  }));
  if (only !== 'sums') await logs.logs.bulkCreate(rows);
  if (only === 'rows') return;
  const cells = calls.map(
    ({ user, model, at, quota, prompt, completion }) =>
      `(${user}, '${model}', ${hourOf(at)}, 'user ${user}', ${prompt + completion}, 1, ${quota})`,
  );
  await main.sequelize.query(
    `INSERT INTO usage_data AS known (user_id, model_name, created_at, username, token_used, count, quota)
      SELECT column1, column2, column3, max(column4), sum(column5), sum(column6), sum(column7)
      FROM (VALUES ${cells.join(', ')}) AS cells WHERE true GROUP BY column1, column2, column3
      ON CONFLICT (user_id, model_name, created_at) DO UPDATE SET token_used = known.token_used + excluded.token_used,
        count = known.count + excluded.count, quota = known.quota + excluded.quota`,
  );
}

/** The same ones each time: users, models and channels in turn, some with cached tokens whose saving has fractions. */
export function someCalls(count: number, { from, until }: { from: number; until: number }, salt = 1): HourlyCall[] {
  const hash = (n: number) => (n * 2_654_435_761 + salt * 97_003) % 4_294_967_296;
  return Array.from({ length: count }, (_, n) => {
    const cached = n % 3 === 0 ? 17 + (n % 50) : 0;
    const rates = { model_ratio: 0.075, group_ratio: n % 2 ? 1 : 1.3, cache_ratio: 0.1, completion_ratio: 4 };
    return {
      user: 2 + (hash(n) % 5),
      model: `model-${hash(n + 7) % 3}`,
      channel: 1 + (hash(n + 13) % 4),
      at: from + (hash(n + 29) % (until - from)),
      quota: hash(n + 31) % 1000,
      prompt: 100 + (n % 90),
      completion: n % 40,
      other: JSON.stringify(cached > 0 ? { ...rates, cache_tokens: cached } : rates),
    };
  });
}
