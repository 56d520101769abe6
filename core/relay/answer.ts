import type { Usage } from '../canonical/usage.ts';
import { asOutage } from '../database/outage.ts';
import { AppError } from '../errors/app-error.ts';
import { streamErrorEvent, writeOpenAiError } from '../protocols/openai-chat/write-error.ts';
import type { RelayCall } from './call.ts';
import type { ClientWriter } from './client-writer.ts';
import type { DeliveryEnd } from './delivery.ts';

/** Writes what was held back for the bill, or ends the answer so that nobody takes it for a whole one. */
export function answerEnd(
  call: RelayCall,
  client: ClientWriter,
  stream: boolean,
  end: DeliveryEnd,
  usage: Usage,
): void {
  if (end.kind === 'complete') end.finish(usage);
  else if (end.kind === 'clientGone') return;
  else if (!client.committed) answerError(call, client, end.error);
  else if (stream) client.end(streamErrorEvent(end.error, reader(call)));
  // A plain answer has no place for an error once it has begun: only a broken connection tells the client.
  else client.break();
}

/** Answers with an error in the client's protocol; returns the status, 0 when nobody is there to read it. */
export function answerError(call: Pick<RelayCall, 'id' | 'language'>, client: ClientWriter, error: unknown): number {
  if (client.gone) return 0;
  if (client.committed) {
    client.break();
    return 0;
  }
  const written = writeOpenAiError(asOutage(error) ?? error, reader(call));
  const body = JSON.stringify(written.body);
  client.commit(written.status, {
    ...written.headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    ...answerHeaders(call.id),
    ...(mustClose(error) ? { connection: 'close' } : {}),
  });
  client.end(body);
  return written.status;
}

/** On every answer of the relay, whoever wrote its body. */
export function answerHeaders(id: string): Record<string, string> {
  return { 'x-request-id': id, 'x-oneapi-request-id': id };
}

function reader({ id, language }: Pick<RelayCall, 'id' | 'language'>) {
  return { requestId: id, language };
}

/** The rest of a refused body would be read as the next request; a stopping server wants its connections back. */
function mustClose(error: unknown): boolean {
  if (!(error instanceof AppError)) return false;
  return error.code === 'relay.draining' || (error as { closeConnection?: boolean }).closeConnection === true;
}
