import type { Ledger } from '../../billing/ledger.ts';
import type { Settlement } from '../../billing/settlement.ts';
import { AppError } from '../../errors/app-error.ts';
import type { Caller } from '../../services/caller.ts';

/** Who has not enough. */
export type ChargeRefusal = 'user' | 'token' | 'budget';

/** The money of one call: held once, extended while a stream outgrows it, then settled or released, exactly once. */
export class Charge {
  private readonly ledger: Ledger;
  private readonly id: string;
  private readonly caller: Caller;
  private readonly first: number;
  /** As `writeBudgets` has them; empty for none. */
  readonly budgets: string;
  private parts = 1;
  private open = true;
  private extension: Promise<void> | undefined;
  private refusedOnce = false;
  /** The last extension got neither a yes nor a no. */
  private isUnanswered = false;
  /** Held so far. */
  amount: number;

  private constructor(ledger: Ledger, id: string, caller: Caller, amount: number, budgets: string) {
    this.ledger = ledger;
    this.id = id;
    this.caller = caller;
    this.first = amount;
    this.budgets = budgets;
    this.amount = amount;
  }

  /** Resolves with the refusal when user or token have not enough, or one of the budgets is used up. */
  static take(
    ledger: Ledger,
    id: string,
    caller: Caller,
    amount: number,
    budgets = '',
  ): Promise<Charge | ChargeRefusal> {
    const { userId, tokenId } = caller;
    return ledger.hold({ id, userId, tokenId, amount, part: 1, ...(budgets && { budgets }) }).then((result) => {
      if (result.ok) return new Charge(ledger, id, caller, amount, budgets);
      return result.refused === 'ended' ? 'user' : result.refused;
    });
  }

  /**
   * Keeps the hold above the running cost: takes at least the first amount again, so it is rare. One at a time; `refused` is
   * called when the balance does not give it. A stream that is ahead of its hold by more than the first amount waits for what is
   * returned, so that a debt does not grow with every second a database takes.
   */
  cover(runningCost: number, refused: (error: AppError) => void): Promise<void> | undefined {
    if (runningCost <= this.amount) return undefined;
    if (!this.extension && !this.refusedOnce && this.open) this.extend(runningCost, refused);
    return runningCost > this.amount + this.first && !this.isUnanswered ? this.extension : undefined;
  }

  private extend(runningCost: number, refused: (error: AppError) => void): void {
    const amount = Math.max(this.first, Math.ceil(runningCost - this.amount));
    this.parts += 1;
    const { userId, tokenId } = this.caller;
    this.extension = this.ledger
      .hold({ id: this.id, userId, tokenId, amount, part: this.parts, ...this.ofBudgets })
      .then((result) => {
        this.isUnanswered = false;
        if (result.ok) this.amount += amount;
        else {
          this.refusedOnce = true;
          refused(new AppError(result.refused === 'budget' ? 'limit.budgetUsedUp' : 'relay.quotaUsedUp'));
        }
      })
      // An unavailable database must neither end nor slow down a paid stream: the settlement books the whole amount anyway. The next
      // try is this same part again, which the ledger books once.
      .catch(() => {
        this.isUnanswered = true;
        this.parts -= 1;
      })
      .finally(() => {
        this.extension = undefined;
      });
  }

  settle(settlement: Settlement): Promise<unknown> {
    if (this.extension) return this.extension.then(() => this.settle(settlement));
    this.open = false;
    settlement.held = this.amount;
    if (this.budgets) settlement.budgets = this.budgets;
    return this.ledger.settle(settlement);
  }

  /** Gives everything back when the call ended without a bill. */
  async release(): Promise<void> {
    if (!this.open) return;
    await this.extension;
    this.open = false;
    const { userId, tokenId } = this.caller;
    await this.ledger.release({ id: this.id, userId, tokenId, held: this.amount, ...this.ofBudgets });
  }

  private get ofBudgets() {
    return this.budgets && { budgets: this.budgets };
  }
}
