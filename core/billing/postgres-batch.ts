import '../database/postgres-types.ts';
import { type BudgetClaim, budgetKey, readBudgets } from './budget-claim.ts';
import { type Batch, creditKey, type EndRow, hourlyCell, unpairedHourEnd } from './ledger-store.ts';

/** A batch as `ledger_apply` reads it. Ids to lock are in ascending order on every node, else two committers deadlock. */
export function toParameter({ holds, ends, credits, repeated }: Batch, owner: string): string {
  const counted = ends.filter(({ counted }) => counted === 1);
  const budgets = budgetsOf([...holds, ...ends]);
  return JSON.stringify({
    owner,
    ...(budgets.length > 0 && { budgets }),
    asked: repeated || holds.some(({ part }) => part > 1),
    users: ascending([...holds, ...ends, ...credits].map(({ userId }) => userId)),
    tokens: ascending([...holds, ...ends, ...credits].map(({ tokenId }) => tokenId)),
    channels: ascending(counted.map(({ channelId }) => channelId)),
    ends: ends.map(toEnd),
    unlogged: ends.some(({ counted, log }) => counted === 0 || log === undefined),
    mark: Math.max(0, ...ends.map((end) => unpairedHourEnd(end) ?? 0)),
    tasks: ends.some(({ task }) => task !== undefined),
    credits: credits.map((credit) => ({
      key: creditKey(credit),
      user_id: credit.userId,
      token_id: credit.tokenId,
      kind: credit.kind,
      ref: credit.ref,
      amount: credit.amount,
      actor_id: credit.actorId,
      note: credit.note,
    })),
    holds: holds.map(({ id, userId, tokenId, amount, part, budgets }, n) => ({
      n,
      id,
      user_id: userId,
      token_id: tokenId,
      amount,
      part,
      budgets,
    })),
  });
}

function toEnd(end: EndRow): Record<string, unknown> {
  const { id, userId, tokenId, channelId, actual, counted, accessedAt, log } = end;
  const hour = hourlyCell(end);
  return {
    id,
    user_id: userId,
    token_id: tokenId,
    channel_id: channelId,
    actual,
    counted,
    accessed_at: accessedAt,
    logged: log !== undefined,
    ...log,
    hour: hour?.hour,
    hour_model: hour?.model_name,
    hour_username: hour?.username,
    token_used: hour?.token_used,
    task: end.task,
    budgets: end.budgets,
  };
}

/** Each once. */
function budgetsOf(rows: { budgets?: string | undefined }[]): BudgetClaim[] {
  const claims = rows.flatMap(({ budgets }) => readBudgets(budgets));
  return [...new Map(claims.map((claim) => [budgetKey(claim), claim])).values()];
}

function ascending(ids: number[]): number[] {
  return [...new Set(ids)].filter((id) => id !== 0).sort((a, b) => a - b);
}
