import { AppError } from '../../errors/app-error.ts';
import { UpstreamError } from '../../errors/upstream-error.ts';
import type { Logger } from '../../lib/logger.ts';
import { toUpstreamError } from '../attempt/failure.ts';
import type { RelayCall } from '../call.ts';
import { ClientWriter } from '../deliver/client-writer.ts';
import { writeError } from '../deliver/respond.ts';
import type { CallLimits } from '../limit/call-limit.ts';
import type { CallPass } from '../limit/call-pass.ts';
import type { Overload } from '../limit/overload.ts';
import { bugOf } from '../report/report.ts';

/** A call that costs nothing: it passes the same gates as one that does, and holds no quota. */
export type FreeCall = Pick<
  RelayCall,
  'id' | 'caller' | 'outgoing' | 'headers' | 'query' | 'clientHeaders' | 'errors' | 'language' | 'startedAt'
>;

export interface FreeCalls {
  /** Runs `work`, which sends the response; sends the error when it fails. Never rejects. */
  serve(call: FreeCall, what: string, work: (client: ClientWriter) => Promise<void>): Promise<void>;
}

interface FreeCallDependencies {
  overload: Pick<Overload, 'check'>;
  callLimits: Pick<CallLimits, 'enter'>;
  isDraining(): boolean;
  /** For a client that takes nothing of what waits for it. */
  writeMs: number;
  logger: Pick<Logger, 'log'>;
  /** Hears of every failure, for the figures. */
  failed(error: unknown): void;
}

export function createFreeCalls(dependencies: FreeCallDependencies): FreeCalls {
  const { overload, callLimits, isDraining, writeMs, logger } = dependencies;

  async function serve(call: FreeCall, what: string, work: (client: ClientWriter) => Promise<void>): Promise<void> {
    const client = new ClientWriter(call.outgoing, call.headers, writeMs);
    let pass: CallPass | undefined;
    let failure: unknown;
    try {
      if (isDraining()) throw new AppError('relay.draining', {}, { retryAfterSeconds: 1 });
      overload.check();
      const entering = callLimits.enter(call.id, call.caller);
      if (entering) pass = await entering;
      await work(client);
    } catch (error) {
      failure = error;
      writeError(call, client, error instanceof AppError ? error : toUpstreamError(error));
    } finally {
      pass?.end(failure === undefined);
    }
    if (failure !== undefined) dependencies.failed(failure);
    report(call, what, failure);
  }

  function report({ id, caller, startedAt }: FreeCall, what: string, failure: unknown): void {
    const isKnown = failure instanceof AppError || failure instanceof UpstreamError;
    const bug = bugOf(failure);
    const level = failure === undefined ? 'info' : isKnown && bug === undefined ? levelOf(failure) : 'error';
    const fields = {
      id,
      user: caller.userId,
      token: caller.tokenId,
      what,
      ms: Math.round(performance.now() - startedAt),
      code: isKnown ? String(failure.code ?? failure.status) : undefined,
    };
    logger.log(level, 'free call', fields, bug);
  }

  return { serve };
}

function levelOf(error: AppError | UpstreamError): 'info' | 'warn' {
  return error instanceof AppError && error.status < 500 ? 'info' : 'warn';
}
