import type { ErrorRule } from '../../errors/classify-upstream.ts';
import { isJsonObject, recordOf, textOf } from '../../lib/json-value.ts';
import { defineHiddenErrors } from '../hidden-error-table.ts';

/** Hunyuan sheet, errors. */
const rules: readonly ErrorRule[] = [
  // Our own clock is wrong: no key is to blame.
  { codes: ['AuthFailure.SignatureExpire'], kind: 'retry' },
  { codes: ['AuthFailure*', 'UnauthorizedOperation*'], kind: 'dead' },
  {
    codes: [
      'FailedOperation.ResourcePackExhausted',
      'FailedOperation.FreeResourcePackExhausted',
      'FailedOperation.ServiceStopArrears',
      'ResourceInsufficient.ChargeResourceExhaust',
      'ResourceUnavailable.InArrears',
      'ResourceUnavailable.LowBalance',
    ],
    kind: 'balance',
  },
  {
    codes: [
      'FailedOperation.ServiceNotActivated',
      'FailedOperation.ServiceStop',
      'FailedOperation.UserUnAuthError',
      'FailedOperation.PartnerAccountUnSupport',
      'ResourceUnavailable.NotExist',
      'ResourceUnavailable.StopUsing',
    ],
    kind: 'dead',
  },
  { codes: ['OperationDenied*'], kind: 'policy' },
  { codes: ['InvalidParameter*', 'MissingParameter*', 'UnsupportedOperation*'], kind: 'client' },
  { codes: ['FailedOperation*', 'InternalError*', 'ResourceUnavailable*'], kind: 'retry' },
  { codes: ['LimitExceeded*', 'RequestLimitExceeded*', '4000', '4001'], kind: 'retry' },
];

export const tencentErrors = defineHiddenErrors({ read, rules, limits: ['LimitExceeded*', 'RequestLimitExceeded*'] });

/** One level down in a document; `ErrorMsg` in the middle of a stream. */
function read(body: unknown) {
  const { Response: response, ErrorMsg: broken } = recordOf(body);
  const { Error: error } = recordOf(response);
  if (isJsonObject(error)) return { code: textOf(error.Code) || 'unknown', message: textOf(error.Message) };
  if (!isJsonObject(broken)) return undefined;
  return { code: String(broken.Code ?? 'unknown'), message: textOf(broken.Msg) };
}
