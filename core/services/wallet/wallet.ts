import { randomUUID } from 'node:crypto';
import { literal, Op, type Transaction } from 'sequelize';
import { bookEarnedCredit } from '../../billing/earned-credit.ts';
import { type OrderPrice, type OrderTerms, orderPrice, quotaOfUnits } from '../../billing/order-price.ts';
import { formatQuota } from '../../billing/quota.ts';
import type { Database } from '../../database/connect.ts';
import type { TopUpRow } from '../../database/models/top-up.ts';
import { AppError } from '../../errors/app-error.ts';
import { moneyText, paymentForm } from '../../integrations/epay/payment-form.ts';
import { type PaymentNotice, readPaymentNotice } from '../../integrations/epay/payment-notice.ts';
import type { EpayFields } from '../../integrations/epay/sign.ts';
import { type Clock, nowSeconds } from '../../lib/clock.ts';
import { randomAlphanumerics } from '../../lib/random-key.ts';
import { repeatableAlphanumerics } from '../../lib/repeatable-key.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import { type Actor, role } from '../../schemas/actor.ts';
import { userStatus } from '../../schemas/user.ts';
import {
  type PayOrder,
  payMethods,
  type RewardTransfer,
  type TopUp,
  type TopUpComplete,
} from '../../schemas/wallet.ts';
import { coded } from '../../text/coded.ts';
import { requireRole } from '../actor.ts';
import type { AuditService } from '../audit.ts';
import type { LogService } from '../log/log.ts';
import type { OptionService } from '../option/option.ts';
import { createOrderCompletion } from './complete-order.ts';
import { topUpView } from './top-up.ts';

export interface WalletServiceDependencies {
  database: Database;
  secretBox: Pick<SecretBox, 'derived'>;
  options: Pick<OptionService, 'get'>;
  logs: Pick<LogService, 'record'>;
  audit: Pick<AuditService, 'record'>;
  /** A report that is signed right and says something wrong: an administrator should look. */
  onAlarm(text: string, fields: Record<string, string | number>): void;
  now?: Clock;
}

export type WalletService = ReturnType<typeof createWalletService>;

type WrittenOrder = Pick<TopUpRow, 'trade_no' | 'quota' | 'money_cents' | 'amount' | 'payment_method'>;

/** 10 million in the currency of the price: more is a mistyped amount. */
const maxCents = 1_000_000_000n;

export function createWalletService(dependencies: WalletServiceDependencies) {
  const { database, secretBox, options, logs, audit, onAlarm, now = nowSeconds } = dependencies;
  const completion = createOrderCompletion({ database, logs, audit, now });

  /** What an amount costs the caller, as text with two decimals. */
  async function quote(actor: Actor, amount: number): Promise<string> {
    return moneyText(Number((await priceFor(actor, amount)).moneyCents));
  }

  /** Writes the order down and returns the form the payer's browser posts to the payment service. */
  async function pay(actor: Actor, { request_key: requestKey, ...input }: PayOrder) {
    const { amount, payment_method } = input;
    const account = payAccount();
    if (!isConfigured(account)) throw new AppError('payment.notConfigured');
    const addresses = ownAddresses();
    const { quota, moneyCents, units } = await priceFor(actor, amount);
    const request = requestKey === undefined ? undefined : { what: `order ${actor.id}`, requestKey, values: input };
    const number = request ? repeatableAlphanumerics(secretBox, request, 16) : `${randomAlphanumerics(6)}${now()}`;
    const trade_no = `USR${actor.id}NO${number}`;
    const order = { quota: Number(quota), money_cents: Number(moneyCents), amount: Number(units), payment_method };
    const known = () => database.topUps.findOne({ where: { trade_no }, raw: true });
    const made = request && (await known());
    const written =
      made ??
      (await writeOrder(actor, { ...order, trade_no }).catch(async (error: unknown) => {
        // By the same request in another process, at the same moment.
        const other = request && (await known());
        if (other) return other;
        throw error;
      }));
    return paymentForm(account, {
      tradeNo: trade_no,
      type: payMethods[payment_method],
      name: `TUC${amount}`,
      moneyCents: written.money_cents,
      notifyUrl: `${addresses.callback}/api/user/epay/notify`,
      returnUrl: `${addresses.console}/log`,
    });
  }

  async function writeOrder<O extends WrittenOrder>(actor: Actor, order: O): Promise<O> {
    await database.transaction(async (transaction) => {
      const row = { ...order, user_id: actor.id, money: order.money_cents / 100, create_time: now() };
      const { id } = await database.topUps.create(row, { transaction });
      await audit.record(actor, { action: 'topUp.create', id, after: order }, transaction);
    });
    return order;
  }

  /** Only what the operator has saved: the Host header is the payer's own choice. */
  function ownAddresses(): { callback: string; console: string } {
    const [address, callback] = [options.get('ServerAddress'), options.get('CustomCallbackAddress')];
    if (address === '' && callback === '') throw new AppError('payment.noAddress');
    return { callback: callback || address, console: address || callback };
  }

  async function priceFor(actor: Actor, amount: number): Promise<OrderPrice> {
    requireRole(actor, role.user);
    const user = await database.users.findOne({ where: { id: actor.id, deleted_at: null }, raw: true });
    if (!user) throw new AppError('object.notFound', { what: coded('noun.user'), id: actor.id, noun: 'user' });
    const terms = termsFor(user.group);
    const min = options.get('MinTopUp');
    const minAmount = terms.inCurrency ? BigInt(min) : quotaOfUnits(min, terms.quotaPerUnit);
    if (BigInt(amount) < minAmount) throw new AppError('payment.belowMinimum', { min: String(minAmount) });
    const price = orderPrice(amount, terms);
    if (price.moneyCents < 1n) throw new AppError('payment.tooCheap');
    if (price.moneyCents > maxCents || price.quota > BigInt(Number.MAX_SAFE_INTEGER) || price.quota < 1n)
      throw new AppError('payment.tooMuch');
    return price;
  }

  function termsFor(group: string): OrderTerms {
    const ratios = options.get('TopupGroupRatio');
    return {
      inCurrency: options.get('DisplayInCurrencyEnabled'),
      quotaPerUnit: options.get('QuotaPerUnit'),
      price: options.get('Price'),
      // A group that is not listed, or has 0 there, pays the plain price.
      groupRatio: (Object.hasOwn(ratios, group) && ratios[group]) || 1,
    };
  }

  const payAccount = () => ({
    address: options.get('PayAddress'),
    id: options.get('EpayId'),
    key: options.get('EpayKey'),
  });

  /**
   * A report of the payment service. True tells the service that it need not report again: the credit is committed, or there is
   * nothing to credit. Reports that cannot be right are refused, so that they come again and are seen.
   */
  async function receiveNotice(fields: EpayFields, address: string): Promise<boolean> {
    const account = payAccount();
    const notice = isConfigured(account) ? readPaymentNotice(fields, account) : undefined;
    if (!notice) return false;
    const { tradeNo } = notice;
    if (!notice.isOurs) {
      onAlarm('a payment report names another merchant', { trade_no: tradeNo, address });
      return false;
    }
    if (!notice.isPaid) return true;
    const order = await database.topUps.findOne({ where: { trade_no: tradeNo }, raw: true });
    if (!order) return refuseUnknown(notice, address);
    if (order.money_cents !== notice.moneyCents) {
      const paid = notice.moneyCents ?? -1;
      onAlarm('a payment report names another amount', { trade_no: tradeNo, asked: order.money_cents, paid, address });
      return false;
    }
    const outcome = await completion.completeReported(order, notice.providerTradeNo, address);
    if (outcome === 'gone') return refuseUnknown(notice, address);
    if (outcome === 'other') {
      const payment = notice.providerTradeNo;
      onAlarm('an order was paid a second time, which credits nothing', { trade_no: tradeNo, payment, address });
    }
    return true;
  }

  /** It was paid: the order was deleted as unpaid, or the database is from a backup that is older than the order. */
  function refuseUnknown({ tradeNo, providerTradeNo, moneyCents = -1 }: PaymentNotice, address: string): false {
    const fields = { trade_no: tradeNo, payment: providerTradeNo, paid: moneyCents, address };
    onAlarm('a payment report names an order that is not here', fields);
    return false;
  }

  /** Marks an order as paid that the payment service did not report. */
  async function completeByHand(actor: Actor, input: TopUpComplete): Promise<TopUp> {
    return topUpView(await completion.completeByHand(actor, input));
  }

  /** Moves earnings from invitations to the own balance, once for each key of a request. */
  async function transferReward(actor: Actor, { quota, request_key = randomUUID() }: RewardTransfer): Promise<void> {
    requireRole(actor, role.user);
    const quotaPerUnit = options.get('QuotaPerUnit');
    if (quota < quotaPerUnit) {
      const format = { inCurrency: options.get('DisplayInCurrencyEnabled'), quotaPerUnit };
      throw new AppError('reward.belowMinimum', { min: formatQuota(Math.ceil(quotaPerUnit), format) });
    }
    const ref = `user:${actor.id}:reward:${request_key}`;
    await database.transaction(async (transaction) => {
      if (await isMoved(actor.id, { ref, quota }, transaction)) return;
      const where = { id: actor.id, aff_quota: { [Op.gte]: quota }, status: userStatus.enabled, deleted_at: null };
      const left = literal(`aff_quota - ${quota}`);
      const [moved] = await database.users.update({ aff_quota: left }, { where, transaction });
      if (moved === 0) throw new AppError('reward.insufficient');
      await audit.record(actor, { action: 'user.transferReward', id: actor.id, after: { quota } }, transaction);
      const credit = { userId: actor.id, kind: 'reward', ref, amount: quota, actorId: actor.id };
      await bookEarnedCredit(database, transaction, credit);
    });
  }

  /** By the same request before: the user's row is locked, so that of two requests the second sees what the first has booked. */
  async function isMoved(
    id: number,
    { ref, quota }: { ref: string; quota: number },
    transaction: Transaction,
  ): Promise<boolean> {
    await database.users.findByPk(id, { attributes: ['id'], raw: true, transaction, lock: true });
    const sql = "SELECT amount FROM quota_entries WHERE kind = 'reward' AND ref = :ref";
    const [entry] = await database.select<{ amount: number }>(sql, { ref }, transaction);
    if (entry && entry.amount !== quota) throw new AppError('user.creditDiffers');
    return entry !== undefined;
  }

  return { quote, pay, receiveNotice, completeByHand, transferReward };
}

const isConfigured = (account: Record<string, string>) => Object.values(account).every((value) => value !== '');
