import { describe, expect, it } from 'vitest';
import { formatQuota } from '../../../../core/billing/quota.ts';
import type { Log } from '../../../../core/schemas/log.ts';
import { logType } from '../../../../core/schemas/log-type.ts';
import { logsIn } from '../../../../core/services/log/text.ts';
import { codedText } from '../../../../core/text/text.ts';

const dollars = (quota: number) => formatQuota(quota, { inCurrency: true, quotaPerUnit: 500_000 });
const row = (content: string, type: number = logType.manage) => ({ type, content, other: '' }) as Log;
const shown = (content: string, moneyOf?: typeof dollars) => logsIn('en', [row(content)], moneyOf)[0]?.content;

describe('the note of a log row', () => {
  it.each([
    [codedText('notice', 'log.adjusted', { amount: '+5000000' }), 'Quota changed by +$10.00'],
    [codedText('notice', 'log.adjusted', { amount: '-250000' }), 'Quota changed by -$0.50'],
    [
      codedText('notice', 'log.adjustedNote', { amount: '+500000', note: 'order 5000000' }),
      'Quota changed by +$1.00: order 5000000',
    ],
    [
      codedText('notice', 'log.holdReturned', { quota: 750_000, request: 'r-2' }),
      'Held quota $1.50 returned after an unclean stop, request r-2',
    ],
    ['quota changed by +5000000', 'quota changed by +5000000'],
  ])('names its amount in money, and leaves what a person wrote as it is (%#)', (content, text) => {
    expect(shown(content, dollars)).toBe(text);
  });

  it('keeps quota units when no currency is given', () => {
    expect(shown(codedText('notice', 'log.adjusted', { amount: '+5000000' }))).toBe('Quota changed by +5000000');
  });
});
