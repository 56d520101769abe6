import type { Usage } from '../../canonical/usage.ts';
import { asOutage } from '../../database/outage.ts';
import { AppError } from '../../errors/app-error.ts';
import type { RelayCall } from '../call.ts';
import type { ClientWriter, HeaderList } from './client-writer.ts';
import type { DeliveryEnd } from './delivery.ts';

/** Writes what was held back for the bill, or ends the response so that it cannot pass for a complete one. */
export function writeEnd(call: RelayCall, client: ClientWriter, end: DeliveryEnd, usage: Usage): void {
  if (end.kind === 'complete') end.finish(usage);
  else if (end.kind === 'clientGone') return;
  else if (!client.committed) writeError(call, client, end.error);
  else if (end.last) client.end(Buffer.from(end.last(call.errors, reader(call)), 'latin1'));
  // A plain response has no place for an error once it has begun: only a broken connection tells the client.
  else client.break();
}

/** Responds with an error in the client's protocol; returns the status, 0 when the client is gone. */
export function writeError(
  call: Pick<RelayCall, 'id' | 'language' | 'errors'>,
  client: ClientWriter,
  error: unknown,
): number {
  if (client.gone) return 0;
  if (client.committed) {
    client.break();
    return 0;
  }
  const written = call.errors.write(asOutage(error) ?? error, reader(call));
  const body = Buffer.from(JSON.stringify(written.body));
  const headers = [...Object.entries(written.headers).flat(), ...jsonHeaders(call.id, body.length)];
  // The vendors' SDKs ask again after any 5xx unless they are told not to.
  if (written.status === 501) headers.push('x-should-retry', 'false');
  if (mustClose(error) || client.hasLongBody) headers.push('connection', 'close');
  client.respond(written.status, headers, body);
  return written.status;
}

/** Of a response whose body we wrote ourselves. */
export function jsonHeaders(id: string, length: number): HeaderList {
  return [
    'content-type',
    'application/json; charset=utf-8',
    'content-length',
    length,
    'cache-control',
    'no-store',
    'x-request-id',
    id,
    'x-oneapi-request-id',
    id,
  ];
}

function reader({ id, language }: Pick<RelayCall, 'id' | 'language'>) {
  return { requestId: id, language };
}

/** The rest of a refused body would be read as the next request; a stopping server wants its connections back. */
function mustClose(error: unknown): boolean {
  if (!(error instanceof AppError)) return false;
  return error.code === 'relay.draining' || (error as { closeConnection?: boolean }).closeConnection === true;
}
