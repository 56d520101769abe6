import { AppError } from '../errors/app-error.ts';
import { coded } from '../text/coded.ts';

/** A credit for a user (or, with a token id, for a token) that does not exist. */
export function missingSubject(userId: number, tokenId: number): AppError {
  const noun = tokenId === 0 ? 'user' : 'token';
  return new AppError('object.notFound', { what: coded(`noun.${noun}`), noun, id: tokenId === 0 ? userId : tokenId });
}
