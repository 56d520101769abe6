import type { EpayAccount } from './payment-form.ts';
import { type EpayFields, isSignedWith } from './sign.ts';

/** What the payment service reports about an order, once its signature has been found right. */
export interface PaymentNotice {
  tradeNo: string;
  providerTradeNo: string;
  isPaid: boolean;
  /** Of our own account, and not of another one that shares the key. */
  isOurs: boolean;
  /** Undefined when the text is not an amount of money. */
  moneyCents: number | undefined;
}

/** Undefined for everything that is not signed by the payment service. */
export function readPaymentNotice(fields: EpayFields, account: EpayAccount): PaymentNotice | undefined {
  if (account.id === '' || !isSignedWith(fields, account.key)) return undefined;
  return {
    tradeNo: fields.out_trade_no ?? '',
    providerTradeNo: (fields.trade_no ?? '').slice(0, 100),
    isPaid: fields.trade_status === 'TRADE_SUCCESS',
    isOurs: fields.pid === account.id,
    moneyCents: centsOf(fields.money ?? ''),
  };
}

/** Services write 73, 73.0 and 73.00; more digits than cents must be zeros. */
function centsOf(text: string): number | undefined {
  const match = /^(\d{1,12})(?:\.(\d{1,2})0*)?$/.exec(text);
  if (!match) return undefined;
  const [, whole = '', fraction = ''] = match;
  return Number(whole) * 100 + Number(fraction.padEnd(2, '0'));
}
