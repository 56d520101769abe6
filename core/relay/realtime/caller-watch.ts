import type { AppError } from '../../errors/app-error.ts';
import type { Caller } from '../../services/caller.ts';
import type { RelayOptions } from '../relay-options.ts';
import type { RealtimeSession } from './session.ts';

interface CallerWatchDependencies {
  sessions: ReadonlyMap<RealtimeSession, Caller>;
  everyMs: number;
  objections(callers: readonly Caller[]): Promise<(AppError | undefined)[]>;
  options: Pick<RelayOptions, 'quotaHardStop'>;
}

/**
 * Looks after the callers of all sessions together: a ban is told by the change feed, but there is no event for a moment that has passed or
 * of a balance that is gone. Runs while there are sessions.
 */
export function createCallerWatch({ sessions, everyMs, objections, options }: CallerWatchDependencies) {
  let timer: NodeJS.Timeout | undefined;

  async function look(): Promise<void> {
    const looked = [...sessions];
    const found = await objections(looked.map(([, caller]) => caller));
    for (const [index, [session]] of looked.entries()) {
      const error = found[index];
      // A response that has begun may be let run into debt; the hold for the next one is refused.
      const mayEnd = error?.code === 'realtime.quotaUsedUp' && session.isResponding && !options.quotaHardStop();
      if (error && !mayEnd) session.stop(error);
    }
  }

  function plan(): void {
    timer = setTimeout(async () => {
      // An unavailable database is asked again; the next hold asks it, too.
      await look().catch(() => undefined);
      timer = undefined;
      if (sessions.size > 0) plan();
    }, everyMs).unref();
  }

  return {
    begin(): void {
      if (!timer) plan();
    },
  };
}
