import { AppError, type Language } from '../errors/app-error.ts';
import { UpstreamError } from '../errors/upstream-error.ts';

export interface ErrorReader {
  requestId: string;
  language: Language;
}

export interface DescribedError {
  status: number;
  retryAfterSeconds: number | undefined;
  message: string;
  type: string;
  param: string | null;
  code: string | number | null;
}

/** The error as a client gets it, in any protocol's shape. */
export function describeError(error: unknown, language: Language): DescribedError {
  if (error instanceof UpstreamError) return describeUpstream(error, language);
  return describeOwn(error instanceof AppError ? error : new AppError('internal.error'), language);
}

function describeOwn(known: AppError, language: Language): DescribedError {
  return {
    status: known.status,
    retryAfterSeconds: known.retryAfterSeconds,
    message: known.text(language),
    type: 'new_api_error',
    param: known.param ?? '',
    code: known.wireCode,
  };
}

function describeUpstream(error: UpstreamError, language: Language): DescribedError {
  const { status, retryAfterSeconds, type, param, code } = error;
  if (error.kind === 'bug') return describeOwn(new AppError('internal.error'), language);
  if (status === 429) {
    // Whose limit it was, and whether the operator has paid, is not the client's business.
    const saturated = new AppError('upstream.saturated');
    const text = saturated.text(language);
    return { status, retryAfterSeconds, message: text, type: 'upstream_error', param: '', code: saturated.wireCode };
  }
  if (error.concernsOperator) return describeOwn(operatorTrouble(error), language);
  return {
    status,
    retryAfterSeconds,
    message: error.text(language),
    type: type ?? 'upstream_error',
    param: param === undefined ? String(status) : param,
    code: code === undefined ? 'bad_response_status_code' : code,
  };
}

/** The caller's own key is in order, and nothing the caller can do mends the operator's. */
export function operatorTrouble({ kind, status }: UpstreamError): AppError {
  if (kind === 'balance' || status === 402) return new AppError('upstream.unpaid');
  return new AppError(kind === 'dead' || status === 401 ? 'upstream.keyRefused' : 'upstream.forbidden');
}
