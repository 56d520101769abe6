/** A budget that a hold is taken from: whose, the start of the window it belongs to, and how much the whole budget is. */
export type BudgetClaim = readonly [limitId: number, subject: string, windowStart: number, amount: number];

/** As holds, settlements and log rows carry them; empty for none. */
export const writeBudgets = (claims: readonly BudgetClaim[]): string =>
  claims.length === 0 ? '' : JSON.stringify(claims);

export const readBudgets = (text: string | undefined): BudgetClaim[] =>
  text ? (JSON.parse(text) as BudgetClaim[]) : [];

/** Of the row in `limit_usage`. */
export const budgetKey = ([limitId, subject, windowStart]: BudgetClaim): string =>
  `${limitId} ${windowStart} ${subject}`;
