import { AppError } from '../../errors/app-error.ts';
import { UpstreamError } from '../../errors/upstream-error.ts';

/** `error.type`: one of few names, and never the words of an upstream. */
export function errorTypeOf(error: unknown): string {
  if (error instanceof AppError) return error.wireCode;
  if (!(error instanceof UpstreamError)) return 'internal_error';
  if (error.kind === 'bug') return 'internal_error';
  return error.silent ? 'timeout' : String(error.status);
}

/** The code an upstream gave its error, where it is one. */
export function upstreamCodeOf(error: unknown): string | undefined {
  const code = error instanceof UpstreamError && error.kind !== 'bug' ? String(error.code ?? '') : '';
  return /^[\w.:-]{1,64}$/.test(code) ? code : undefined;
}

/** The client left: no one failed. */
export function isClientGone(error: unknown): boolean {
  return error instanceof AppError && error.code === 'relay.clientGone';
}
