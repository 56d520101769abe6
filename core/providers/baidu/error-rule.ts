import type { ErrorRule } from '../../errors/classify-upstream.ts';
import { recordOf, textOf } from '../../lib/json-value.ts';
import { defineHiddenErrors } from '../hidden-error-table.ts';

/** Baidu sheet, errors of the older interface. */
const rules: readonly ErrorRule[] = [
  { codes: ['100', '110', '111'], kind: 'dead', renewsCredential: true },
  { codes: ['17'], kind: 'balance' },
  { codes: ['13', '14', '15', '336004'], kind: 'dead' },
  // One model is closed to the application, which may use the others.
  { codes: ['6'], kind: 'retry' },
  { codes: ['336103'], kind: 'contextLength' },
  {
    codes: ['3', '336001', '336002', '336003', '336005', '336006', '336101', '336104', '336105'],
    kind: 'client',
  },
  { codes: ['1', '2', '4', '18', '19', '336000', '336100', '336501', '336502'], kind: 'retry' },
  { codes: ['3365*'], kind: 'policy' },
];

export const baiduErrors = defineHiddenErrors({ read, rules, limits: ['4', '18', '19', '336501', '336502'] });

function read(body: unknown) {
  const { error_code: code, error_msg: message } = recordOf(body);
  if (typeof code !== 'number' && typeof code !== 'string') return undefined;
  return code === 0 || code === '' ? undefined : { code, message: textOf(message) };
}
