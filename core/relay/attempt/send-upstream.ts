import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '../../errors/app-error.ts';
import type { OutboundRequest } from '../../integrations/outbound/outbound-request.ts';
import { type StartedCall, type UpstreamResponse, wasUnread } from '../../integrations/outbound/upstream-client.ts';
import type { BuiltRequest } from '../request/outgoing-call.ts';
import type { PreparedAttempt, RelayDependencies } from '../run.ts';
import { authorize } from './authorize.ts';
import { followJob } from './follow-job.ts';

/** Sends one attempt's request and resolves with the head of the response. `sending` may throw what keeps it from being sent. */
export async function sendUpstream(
  { run, built }: PreparedAttempt,
  dependencies: RelayDependencies,
  sending: (abort: () => void) => void,
): Promise<UpstreamResponse> {
  const { client, control } = run;
  const { credential } = built;
  const prove = async () => {
    if (credential) await control.whileWanted(authorize(built.request, built.source, credential, dependencies));
  };
  if (credential) await prove();
  const { upstream } = dependencies;
  let call: StartedCall | undefined;
  const abort = () => call?.abort();
  client.onGone(abort);
  const start = (request: OutboundRequest) => {
    control.attach(abort);
    // The caller no longer waits: no request is sent.
    if (control.stoppedBy) throw control.stoppedBy;
    if (client.gone) throw new AppError('relay.clientGone');
    sending(abort);
    call = upstream.start(request);
    return call.response;
  };
  let response: UpstreamResponse;
  try {
    response = await start(opened(built));
  } catch (error) {
    if (!wasUnread(error)) throw error;
    response = await start(opened(built));
  }
  if (built.job) {
    const ask = (url: string, pauseMs: number) =>
      control.whileWanted(pause(pauseMs)).then(() => start(questionOf(built, url)));
    return followJob(response, built.job, ask);
  }
  // A token that was taken back before its time: with a new one the same call is in order.
  if (response.status !== 401 || !renewCredential(built, dependencies)) return response;
  response.abort();
  await prove();
  return start(opened(built));
}

/** Gives up the token that was sent; true when another one can take its place. */
export function renewCredential(
  { credential, request }: BuiltRequest,
  { authorizer }: Pick<RelayDependencies, 'authorizer'>,
): boolean {
  return credential !== undefined && authorizer.refused(credential, request);
}

/** A body that was partly sent must be reopened for a second try. */
function opened({ request, source }: BuiltRequest): OutboundRequest {
  request.body = source.open();
  return request;
}

/** How a job is getting on. */
function questionOf({ request, job }: BuiltRequest, url: string): OutboundRequest {
  const { 'user-agent': userAgent } = request.headers;
  const headers = { ...job?.headers, ...(userAgent !== undefined && { 'user-agent': userAgent }) };
  return { ...request, method: 'GET', url, headers, body: null };
}
