import { describe, expect, it } from 'vitest';
import { moneyText, paymentForm } from '../../../../core/integrations/epay/payment-form.ts';
import { readPaymentNotice } from '../../../../core/integrations/epay/payment-notice.ts';
import { isSignedWith, signEpay } from '../../../../core/integrations/epay/sign.ts';

const account = { address: 'https://pay.example.com/shop/', id: '1001', key: 'epaykey123' };
const report = {
  pid: '1001',
  trade_no: '2023111500001234567',
  out_trade_no: 'USR7NOabc1231700000000',
  type: 'alipay',
  name: 'TUC10',
  money: '73.00',
  trade_status: 'TRADE_SUCCESS',
  param: '',
  sign_type: 'MD5',
  sign: '7ea392de16cb66657755d0625476fc73',
};
const signed = (fields: Record<string, string>) => ({ ...fields, sign: signEpay(fields, account.key) });

describe('the Epay signature', () => {
  it('is the one the interface documents', () => {
    expect(signEpay({ money: 'moneyv', device: 'devicev' }, '1234567')).toBe('3854cc9f022e0fb821bd2e002260245d');
    expect(signEpay(report, account.key)).toBe(report.sign);
  });

  it('is on the form a payer posts, and the form goes below the path of the service', () => {
    const form = paymentForm(account, {
      tradeNo: 'USR7NOabc1231700000000',
      type: 'alipay',
      name: 'TUC10',
      moneyCents: 7300,
      notifyUrl: 'https://gw.example.com/api/user/epay/notify',
      returnUrl: 'https://gw.example.com/log',
    });
    expect(form.url).toBe('https://pay.example.com/shop/submit.php');
    expect(form.fields).toMatchObject({ sign: '9d37416ac8d6972a433272b13edeb059', sign_type: 'MD5', money: '73.00' });
  });

  it.each([
    ['no signature', { ...report, sign: '' }],
    ['one in upper case', { ...report, sign: report.sign.toUpperCase() }],
    ['another algorithm', { ...report, sign_type: 'RSA' }],
    ['a changed field', { ...report, money: '7300.00' }],
    ['a field more', { ...report, extra: '1' }],
    ['a signature of another length', { ...report, sign: report.sign.slice(1) }],
  ])('B75 is refused with %s', (_what, fields) => {
    expect(isSignedWith(fields, account.key)).toBe(false);
  });

  it('M10 is never right while no key or no merchant id is set', () => {
    const unkeyed = { ...report, sign: signEpay(report, '') };
    expect(readPaymentNotice(unkeyed, { ...account, key: '' })).toBeUndefined();
    const anonymous = signed({ ...report, pid: '' });
    expect(readPaymentNotice(anonymous, { ...account, id: '' })).toBeUndefined();
  });
});

describe('a payment report', () => {
  it('says what was paid, for which order, to whom', () => {
    expect(readPaymentNotice(report, account)).toEqual({
      tradeNo: 'USR7NOabc1231700000000',
      providerTradeNo: '2023111500001234567',
      isPaid: true,
      isOurs: true,
      moneyCents: 7300,
    });
    expect(readPaymentNotice(signed({ ...report, pid: '1002' }), account)?.isOurs).toBe(false);
    for (const trade_status of ['TRADE_CLOSED', 'trade_success', 'WAIT', ''])
      expect(readPaymentNotice(signed({ ...report, trade_status }), account)?.isPaid).toBe(false);
  });

  it.each([
    ['73', 7300],
    ['73.0', 7300],
    ['73.5', 7350],
    ['0.01', 1],
    ['73.0000', 7300],
    ['73.001', undefined],
    ['-73.00', undefined],
    ['7.3e1', undefined],
    ['73,00', undefined],
    ['', undefined],
    [' 73.00', undefined],
    ['1'.repeat(13), undefined],
  ])('reads %j as %s cents', (money, cents) => {
    expect(readPaymentNotice(signed({ ...report, money }), account)?.moneyCents).toBe(cents);
  });

  it('B80 with array names or PHP tricks is another field, not the one it looks like', () => {
    const { money: _money, ...rest } = report;
    expect(readPaymentNotice(signed({ ...rest, 'money[]': '73.00' }), account)?.moneyCents).toBeUndefined();
  });

  it('writes money with two decimals', () => {
    expect([1, 10, 100, 7300, 123_456_789].map(moneyText)).toEqual(['0.01', '0.10', '1.00', '73.00', '1234567.89']);
  });
});
