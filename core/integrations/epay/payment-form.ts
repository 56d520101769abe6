import { type EpayFields, signEpay } from './sign.ts';

export interface EpayAccount {
  /** Of the payment service; it may have a path. */
  address: string;
  id: string;
  key: string;
}

export interface EpayOrder {
  tradeNo: string;
  type: 'alipay' | 'wxpay';
  /** What the payer sees. */
  name: string;
  moneyCents: number;
  /** Where the payment service reports the payment. */
  notifyUrl: string;
  /** Where the payer comes back to; it says nothing about the payment. */
  returnUrl: string;
}

/** What the payer's browser posts to the payment service, and where. */
export function paymentForm(account: EpayAccount, order: EpayOrder): { url: string; fields: EpayFields } {
  const fields = {
    pid: account.id,
    type: order.type,
    out_trade_no: order.tradeNo,
    notify_url: order.notifyUrl,
    return_url: order.returnUrl,
    name: order.name,
    money: moneyText(order.moneyCents),
    device: 'pc',
  };
  const url = `${account.address.replace(/\/+$/, '')}/submit.php`;
  return { url, fields: { ...fields, sign: signEpay(fields, account.key), sign_type: 'MD5' } };
}

/** `73.00` */
export function moneyText(cents: number): string {
  return `${Math.trunc(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
}
