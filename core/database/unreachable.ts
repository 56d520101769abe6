import { AppError } from '../errors/app-error.ts';

/** Codes of Node for a certificate that it does not accept. */
const certificateCodes =
  /^(CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_(VERIFY|GET)|ERR_TLS_CERT|HOSTNAME_MISMATCH|INVALID_CA)/;

/** A connection that could not be opened, with what can be done about it. */
export function unreachable(cause: Error, reason = cause.message): AppError {
  const root = rootOf(cause) as NodeJS.ErrnoException;
  const isCertificate = certificateCodes.test(root.code ?? '');
  return new AppError(isCertificate ? 'database.certificate' : 'database.unreachable', { reason }, { cause });
}

export const isUnreachable = (error: unknown): boolean =>
  error instanceof AppError && (error.code === 'database.unreachable' || error.code === 'database.certificate');

function rootOf(error: Error): Error {
  const inner = error.cause ?? (error as { parent?: unknown }).parent;
  return inner instanceof Error && inner !== error ? rootOf(inner) : error;
}
