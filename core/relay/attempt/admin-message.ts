import type { UpstreamError } from '../../errors/upstream-error.ts';
import type { RelayBody } from '../call.ts';

const maxMessage = 300;
/** Longer bodies are not searched for quotes. */
const maxBodyBytes = 64 * 1024;
/** A quote of fifteen characters holds one of these pieces whole. */
const pieceLength = 12;
const step = 4;

/**
 * What an upstream says of the operator's account, for its log and its admins; '' when it repeats what the client sent, because no
 * prompt stands in any log.
 */
export async function adminMessage(
  { concernsOperator, message }: UpstreamError,
  body: Pick<RelayBody, 'size' | 'mentions'>,
): Promise<string> {
  if (!concernsOperator || message === '' || body.size > maxBodyBytes) return '';
  const shown = message.length > maxMessage ? `${message.slice(0, maxMessage)}…` : message;
  return (await body.mentions(piecesOf(shown))) ? '' : shown;
}

function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  for (let at = 0; at === 0 || at + pieceLength <= text.length; at += step)
    pieces.push(text.slice(at, at + pieceLength));
  return pieces;
}
