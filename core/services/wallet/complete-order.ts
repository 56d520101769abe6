import type { Transaction } from 'sequelize';
import { bookEarnedCredit } from '../../billing/earned-credit.ts';
import type { Database } from '../../database/connect.ts';
import type { TopUpRow } from '../../database/models/top-up.ts';
import { AppError } from '../../errors/app-error.ts';
import { moneyText } from '../../integrations/epay/payment-form.ts';
import type { Clock } from '../../lib/clock.ts';
import { type Actor, role } from '../../schemas/actor.ts';
import type { TopUpComplete } from '../../schemas/wallet.ts';
import { coded } from '../../text/coded.ts';
import { codedText } from '../../text/text.ts';
import { requireRole } from '../actor.ts';
import type { AuditService } from '../audit.ts';
import type { LogService } from '../log/log.ts';
import { requireRankOver } from '../user/rank.ts';

interface CompletionDependencies {
  database: Database;
  logs: Pick<LogService, 'record'>;
  audit: Pick<AuditService, 'record'>;
  now: Clock;
}

/** What a report of a payment led to: `again` credits nothing, `other` is a second payment of the same order, `gone` has none to credit. */
export type ReportOutcome = 'paid' | 'again' | 'other' | 'gone';

/** An order is paid once, whether the payment service reports it or an administrator says so: whichever is first credits it. */
export function createOrderCompletion({ database, logs, audit, now }: CompletionDependencies) {
  /** What the payment service reports. Reported again, or of an order that is complete already, it credits nothing. */
  async function completeReported(order: TopUpRow, providerTradeNo: string, address: string): Promise<ReportOutcome> {
    const service: Actor = { id: 0, name: 'epay', role: role.guest, address };
    return database.transaction(async (transaction) => {
      const provider = { provider_trade_no: providerTradeNo };
      if (!(await takePending(order, provider, transaction))) return readEnded(order, providerTradeNo, transaction);
      const { id, trade_no, quota, money_cents } = order;
      const after = { trade_no, quota, money_cents, ...provider };
      await audit.record(service, { action: 'topUp.complete', id, after }, transaction);
      await book(order, { actorId: 0, note: '' }, transaction);
      return 'paid';
    });
  }

  /** Of an order that was pending a moment ago, or is long complete. */
  async function readEnded(
    { id }: TopUpRow,
    provider_trade_no: string,
    transaction: Transaction,
  ): Promise<ReportOutcome> {
    const order = await database.topUps.findByPk(id, { raw: true, transaction });
    if (!order) return 'gone';
    const isNamed = provider_trade_no !== '' && order.provider_trade_no !== '';
    if (isNamed) return order.provider_trade_no === provider_trade_no ? 'again' : 'other';
    // Completed by hand before: what the service calls it is kept all the same.
    await database.topUps.update({ provider_trade_no }, { where: { id, provider_trade_no: '' }, transaction });
    return 'again';
  }

  /** What an administrator has seen paid where no report came. The reason stays with the entry and in the audit log. */
  async function completeByHand(actor: Actor, { trade_no, reason }: TopUpComplete): Promise<TopUpRow> {
    requireRole(actor, role.admin);
    const order = await database.topUps.findOne({ where: { trade_no }, raw: true });
    if (!order) throw new AppError('object.notFound', { what: coded('noun.order'), id: trade_no, noun: 'top-up' });
    const user = await database.users.findByPk(order.user_id, { raw: true });
    if (!user) throw new AppError('object.notFound', { what: coded('noun.user'), id: order.user_id, noun: 'user' });
    requireRankOver(actor, user);
    const { id, quota, money_cents, status } = order;
    await database.transaction(async (transaction) => {
      if (!(await takePending(order, {}, transaction))) {
        // Of two at the same moment, the later one has read `pending`.
        throw new AppError('topUp.notPending', { trade_no, status: status === 'pending' ? 'success' : status });
      }
      const before = { status };
      const after = { status: 'success', trade_no, amount: quota, money_cents, reason };
      await audit.record(actor, { action: 'topUp.completeByHand', id, before, after }, transaction);
      await book(order, { actorId: actor.id, note: reason }, transaction);
    });
    return { ...order, status: 'success', complete_time: now() };
  }

  /** False when it was complete before: the update waits for a transaction that completes it at the same moment. */
  async function takePending({ id }: TopUpRow, fields: Partial<TopUpRow>, transaction: Transaction): Promise<boolean> {
    const paid = { ...fields, status: 'success', complete_time: now() };
    const [count] = await database.topUps.update(paid, { where: { id, status: 'pending' }, transaction });
    return count > 0;
  }

  async function book(order: TopUpRow, by: { actorId: number; note: string }, transaction: Transaction): Promise<void> {
    const { user_id, quota, trade_no, money_cents } = order;
    const user = await database.users.findByPk(user_id, { attributes: ['username'], raw: true, transaction });
    const content = codedText('notice', 'log.toppedUp', { money: moneyText(money_cents) });
    await logs.record({ type: 'topUp', user_id, username: user?.username ?? '', content, quota }, transaction);
    const credit = { userId: user_id, kind: 'topup', ref: `topup:${trade_no}`, amount: quota, ...by };
    await bookEarnedCredit(database, transaction, credit);
  }

  return { completeReported, completeByHand };
}
