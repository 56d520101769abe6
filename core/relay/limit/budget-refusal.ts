import { type BudgetClaim, readBudgets } from '../../billing/budget-claim.ts';
import { formatQuotas, type QuotaFormat } from '../../billing/quota.ts';
import type { Database } from '../../database/connect.ts';
import { AppError } from '../../errors/app-error.ts';
import { isShared } from '../../schemas/limit-subject.ts';
import type { AppliedBudget, LimitBook } from '../../services/limit/book.ts';
import { momentText, whoOf, wordsOf } from '../../services/limit/words.ts';
import type { CallOwner } from './call-rule.ts';

interface BudgetRefusalDependencies {
  database: Database;
  book: Pick<LimitBook, 'budgets'>;
  format(): QuotaFormat;
  nowSeconds(): number;
}

export interface RefusedBudget {
  owner: CallOwner;
  model: string;
  /** As its hold named them. */
  budgets: string;
  needed: number;
}

/** From this share of a budget on, a refusal means that it is used up, and not that one call asks for a lot. */
const nearlyAll = 80;

/** Which budget refused a hold. The hold only knows that one did; which one is read afterward, off the path of calls that are served. */
export async function explainBudgetRefusal(
  { owner, model, budgets, needed }: RefusedBudget,
  { database, book, format, nowSeconds }: BudgetRefusalDependencies,
): Promise<AppError> {
  const applied = book.budgets({ ...owner, model });
  const states = await budgetStates(database, readBudgets(budgets));
  const found = states
    .map((state) => ({ state, budget: applied.find((budget) => isClaimOf(state.claim, budget)) }))
    .filter(({ state: { claim, used, held } }) => used + held + needed > claim[3])
    // The one that keeps the call waiting longest.
    .sort((a, b) => endOf(b.budget, needed) - endOf(a.budget, needed))[0];
  // What refused it has been given back meanwhile.
  if (!found?.budget) return new AppError('limit.budgetBusy', {}, { retryAfterSeconds: 1 });
  const { budget, state } = found;
  if (state.used * 100 >= budget.amount * nearlyAll) await noteRefused(database, state.claim);
  return budgetError({ budget, owner, needed, format, nowSeconds, ...state });
}

/** A call that needs more than all of a budget never fits. */
const isTooCostly = ({ amount }: AppliedBudget, needed: number): boolean => needed > amount;

function endOf(budget: AppliedBudget | undefined, needed: number): number {
  if (!budget) return 0;
  return isTooCostly(budget, needed) ? Number.MAX_SAFE_INTEGER : budget.window.end;
}

interface BudgetShortage {
  budget: AppliedBudget;
  owner: CallOwner;
  needed: number;
  used: number;
  held: number;
  format(): QuotaFormat;
  nowSeconds(): number;
}

export function budgetError({ budget, owner, needed, used, held, format, nowSeconds }: BudgetShortage): AppError {
  const [max = '', usedText = '', heldText = '', neededText = ''] = formatQuotas(
    [budget.amount, used, held, needed],
    format(),
  );
  const waits = Math.max(1, budget.window.end - nowSeconds());
  const isMadeRoomFor = used + needed <= budget.amount;
  const details = {
    who: whoOf(budget, owner),
    max,
    used: usedText,
    held: heldText,
    needed: neededText,
    reset: momentText(budget.window.end),
    ...wordsOf(budget),
  };
  if (isTooCostly(budget, needed)) return new AppError('limit.callTooCostly', details);
  // How much others have used of it is not for everyone to see.
  const isOfAll = isShared(budget.kind);
  // Calls under way may end within a moment, and give back what they do not need.
  if (isMadeRoomFor) {
    return new AppError(isOfAll ? 'limit.sharedBudgetHeld' : 'limit.budgetHeld', details, { retryAfterSeconds: 1 });
  }
  return new AppError(isOfAll ? 'limit.sharedBudget' : 'limit.budget', details, { retryAfterSeconds: waits });
}

export interface BudgetState {
  claim: BudgetClaim;
  used: number;
  held: number;
}

/** What is taken of budgets at this moment. */
async function budgetStates(database: Database, claims: readonly BudgetClaim[]): Promise<BudgetState[]> {
  return Promise.all(
    claims.map(async (claim) => {
      const [limit_id, subject, window_start] = claim;
      const row = await database.limitUsage.findOne({ where: { limit_id, subject, window_start }, raw: true });
      return { claim, used: row?.used ?? 0, held: row?.held ?? 0 };
    }),
  );
}

/** For those who are told of it; once is enough. */
async function noteRefused(database: Database, [limit_id, subject, window_start]: BudgetClaim): Promise<void> {
  await database.limitUsage.update({ refused: 1 }, { where: { limit_id, subject, window_start, refused: 0 } });
}

const isClaimOf = ([limitId, subject]: BudgetClaim, budget: AppliedBudget) =>
  limitId === budget.id && subject === budget.subject;
