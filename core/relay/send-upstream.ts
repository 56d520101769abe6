import { AppError } from '../errors/app-error.ts';
import {
  type UpstreamAnswer,
  type UpstreamCall,
  UpstreamFailure,
  type UpstreamRequest,
} from '../integrations/outbound/upstream-client.ts';
import { authorize } from './authorize.ts';
import type { Attempt, RelayDependencies } from './run.ts';
import { type BuiltRequest, buildRequest } from './write-call.ts';

/** Sends one attempt's request and resolves with the head of the answer. */
export async function sendUpstream(
  attempt: Attempt,
  firstTokenMs: number,
  dependencies: RelayDependencies,
): Promise<UpstreamAnswer> {
  const { client, control } = attempt.run;
  const built = buildRequest(attempt, firstTokenMs, dependencies.limits);
  attempt.readAnswer = built.readAnswer;
  attempt.losses = built.losses;
  const { credential } = built;
  const prove = () =>
    credential && control.whileWanted(authorize(built.request, built.source, credential, dependencies));
  await prove();
  const { upstream } = dependencies;
  let call: UpstreamCall | undefined;
  const abort = () => call?.abort();
  client.onGone(abort);
  const start = () => {
    control.attach(abort);
    // Nobody waits for it any more: not one request goes out.
    if (control.stoppedBy) throw control.stoppedBy;
    if (client.gone) throw new AppError('relay.clientGone');
    call = upstream.start(opened(built));
    return call.answer;
  };
  const answer = await start().catch((error: unknown) => {
    // A kept-alive connection that the upstream closed as the call went out: most likely nobody read it, so it goes out again, once.
    if (!(error instanceof UpstreamFailure && error.sentNothing) || error.kind !== 'reset') throw error;
    return start();
  });
  if (answer.status !== 401 || !credential) return answer;
  // A token that was taken back before its time: with a new one the same call is in order.
  if (!dependencies.authorizer.refused(credential, built.request.headers)) return answer;
  answer.abort();
  await prove();
  return start();
}

/** A body that was partly sent must be opened anew for a second try. */
function opened({ request, source }: BuiltRequest): UpstreamRequest {
  request.body = source.open();
  return request;
}
