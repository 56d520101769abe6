import type { Ledger } from '../../billing/ledger.ts';
import { type PriceExtras, priceQuota } from '../../billing/price.ts';
import { emptyUsage, type Usage, type UsageSource } from '../../canonical/usage.ts';
import { AppError } from '../../errors/app-error.ts';
import { newRequestId } from '../../lib/request-id.ts';
import type { Priced } from '../../services/pricing/pricing.ts';
import type { CallIdentity, Served } from '../call.ts';
import type { CallOwner, CallTokens } from '../limit/call-rule.ts';
import { Charge, type ChargeRefusal } from '../meter/charge.ts';
import { toSettlement } from '../meter/consumption.ts';
import type { RefusedHold } from '../meter/refusal.ts';
import type { RelayOptions } from '../relay-options.ts';

export interface BillDependencies {
  ledger: Ledger;
  options: Pick<RelayOptions, 'logConsume' | 'dataExport' | 'quotaHardStop' | 'preConsumedQuota'>;
  /** Explains a refused hold: who has how much left. */
  refusal(call: CallIdentity, refused: RefusedHold): Promise<AppError>;
  /** Of each hold: a session may go on into the next hour or day. */
  budgetsOf(owner: CallOwner, model: string): string;
  /** Under the limits of tokens: each use at its time, since a session may be longer than a window. */
  countTokens(owner: CallOwner, model: string, tokens: CallTokens): void;
  nowSeconds(): number;
}

/** What a session is billed by. */
export interface BilledSession {
  call: CallIdentity;
  model: string;
  priced: Priced;
}

/** One thing a session is charged for: a response, or speech that was written down. */
export interface ChargedUse {
  what: 'response' | 'transcription';
  model: string;
  priced: Priced;
  usage: Usage;
  usageSource: UsageSource;
  extras: PriceExtras;
  flags: string[];
  /** Monotonic milliseconds. */
  startedAt: number;
  firstTokenAt: number | undefined;
  /** complete, clientGone, broken or stopped. */
  outcome: string;
}

/**
 * The money of a session. A hold is always there while it is open; each use ends it, is charged with a log row of its own, and the
 * next hold is taken with the same commit, so that an hour of talk is never an hour unpaid.
 */
export class SessionBill {
  readonly #dependencies: BillDependencies;
  readonly #call: CallIdentity;
  readonly #model: string;
  readonly #priced: Priced;
  readonly #firstHold: number;
  /** Of the last response: the next one has all of it in its context, and is held for as much. */
  #lastCost = 0;
  #charge: Charge;
  #periodId: string;
  #quota = 0;
  #promptTokens = 0;
  #completionTokens = 0;
  readonly #flags = new Set<string>();

  private constructor(dependencies: BillDependencies, { call, model, priced }: BilledSession, charge: Charge) {
    this.#dependencies = dependencies;
    this.#call = call;
    this.#model = model;
    this.#priced = priced;
    this.#firstHold = charge.amount;
    this.#charge = charge;
    this.#periodId = call.id;
  }

  /** Throws the refusal when user or token have not enough for the first response. */
  static async open(dependencies: BillDependencies, session: BilledSession): Promise<SessionBill> {
    const { call, model, priced } = session;
    const amount = priceQuota(priced.prepared, assumedResponse(dependencies.options.preConsumedQuota()));
    const budgets = dependencies.budgetsOf(call.caller, model);
    const held = await Charge.take(dependencies.ledger, call.id, call.caller, amount, budgets);
    if (held instanceof Charge) return new SessionBill(dependencies, session, held);
    throw await dependencies.refusal(call, { by: held, needed: amount, model, budgets });
  }

  /**
   * Keeps the hold above what the responses under way have cost so far; `refused` is called when the balance does not give it. What is
   * returned is to be waited for before more is passed on.
   */
  cover(running: Usage, refused: (error: AppError) => void): Promise<void> | undefined {
    const cost = priceQuota(this.#priced.prepared, running);
    return this.#charge.cover(cost, (error) => {
      if (this.#dependencies.options.quotaHardStop()) refused(error);
    });
  }

  /** Books a use and takes the next hold. `renewed` resolves with why the session cannot go on, if it cannot. */
  charge(use: ChargedUse, served: Served): { settled: Promise<void>; renewed: Promise<AppError | undefined> } {
    const settled = this.settle(use, served);
    // Asked for in the same turn: both are committed together.
    const renewed = this.#renew().catch((error: unknown) =>
      error instanceof AppError ? error : new AppError('internal.error', {}, { cause: error }),
    );
    return { settled, renewed };
  }

  /** Gives back what is held, when nothing is to be paid any more. */
  release(): Promise<void> {
    return this.#charge.release();
  }

  totals() {
    const flags = [...this.#flags].join(',');
    return { quota: this.#quota, promptTokens: this.#promptTokens, completionTokens: this.#completionTokens, flags };
  }

  /** Books a use and takes no further hold: the last of a session. */
  async settle(use: ChargedUse, served: Served): Promise<void> {
    const { options, nowSeconds } = this.#dependencies;
    const { caller, protocol } = this.#call;
    const settlement = toSettlement({
      ...use,
      call: { id: this.#periodId, caller, protocol, startedAt: use.startedAt },
      request: { model: use.model, stream: true },
      served: use.what === 'response' ? served : { ...served, upstreamModel: use.model },
      now: { seconds: nowSeconds(), monotonicMs: performance.now() },
      keepLog: options.logConsume(),
      keepUsageData: options.dataExport(),
      budgets: this.#charge.budgets,
      more: { ws: true, session: this.#call.id, ...(use.what === 'transcription' && { transcription: true }) },
    });
    this.#dependencies.countTokens(caller, use.model, use.usage);
    if (use.what === 'response') this.#lastCost = settlement.actual;
    await this.#charge.settle(settlement);
    this.#quota += settlement.actual;
    this.#promptTokens += use.usage.prompt;
    this.#completionTokens += use.usage.completion;
    for (const flag of use.flags) this.#flags.add(flag);
  }

  async #renew(): Promise<AppError | undefined> {
    const { refusal } = this.#dependencies;
    const amount = Math.max(this.#firstHold, this.#lastCost);
    const budgets = this.#dependencies.budgetsOf(this.#call.caller, this.#model);
    const by = await this.#take(amount, budgets);
    if (by === undefined) return undefined;
    const error = await refusal(this.#call, { by, needed: amount, model: this.#model, budgets });
    // Another response may have begun beside the one that was paid: what of it was delivered is booked against nothing held.
    await this.#take(0, '');
    return error;
  }

  async #take(amount: number, budgets: string): Promise<ChargeRefusal | undefined> {
    const id = newRequestId();
    const held = await Charge.take(this.#dependencies.ledger, id, this.#call.caller, amount, budgets);
    if (!(held instanceof Charge)) return held;
    this.#charge = held;
    this.#periodId = id;
    return undefined;
  }
}

/** Until it begins, neither the length of a response is known nor whether it is spoken: sound costs more. */
function assumedResponse(tokens: number): Usage {
  return { ...emptyUsage, completion: tokens, audioOutput: tokens };
}
