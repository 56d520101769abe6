import { exitCode } from './failure.ts';
import type { Host, HostSignal } from './host.ts';

/** Why work ended early: the user stopped it, or the reader of its output is gone. */
export type Ending = 'interrupted' | 'unread';

const stopSignals: HostSignal[] = ['SIGINT', 'SIGTERM'];

/** Runs work that goes on until it is told to stop; the signal says when, and the response why, if it was told. */
export async function untilStopped(
  host: Host,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<Ending | undefined> {
  const stop = new AbortController();
  let ending: Ending | undefined;
  const end = (why: Ending) => () => {
    // Who asks a second time does not want to wait for what is under way.
    if (ending === 'interrupted' && why === 'interrupted') host.exit(exitCode.interrupted);
    ending ??= why;
    stop.abort();
  };
  const interrupt = end('interrupted');
  const unread = end('unread');
  for (const name of stopSignals) host.on(name, interrupt);
  host.stdout.on('error', unread);
  try {
    await work(stop.signal);
    return ending;
  } catch (error) {
    // What breaks because it was told to stop has no failure to report.
    if (ending === undefined) throw error;
    return ending;
  } finally {
    for (const name of stopSignals) host.off(name, interrupt);
    host.stdout.off('error', unread);
  }
}
