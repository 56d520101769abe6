import type { ChangeFeed, ChangeSubject } from './change-feed.ts';

interface FollowOrder {
  subjects: readonly ChangeSubject[];
  /** Reads all of it again. */
  read(): Promise<unknown>;
  /** Told once for each time that it cannot be read, however long that lasts. */
  onError(error: unknown): void;
}

export interface Follower {
  /** Resolves when the changes seen so far are in force, or could not be read for now. */
  settled(): Promise<void>;
}

const againAfterMs = 1000;

/**
 * What a process keeps in memory of some tables: read now, and again after each change by whatever process. A change is told once, so a
 * reading that fails is repeated until one succeeds: else an old price or a channel that is off would stay in force until the next change.
 */
export async function followChanges(feed: ChangeFeed, { subjects, read, onError }: FollowOrder): Promise<Follower> {
  let isStale = false;
  let hasFailed = false;
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  async function readAgain(): Promise<void> {
    // Changes that come together are read once.
    await new Promise((resolve) => setImmediate(resolve));
    while (isStale) {
      isStale = false;
      try {
        await read();
        hasFailed = false;
      } catch (error) {
        isStale = true;
        if (!hasFailed) onError(error);
        hasFailed = true;
        timer = setTimeout(start, againAfterMs);
        timer.unref();
        return;
      }
    }
  }

  function run(work: Promise<void>): Promise<void> {
    running = work.finally(() => {
      running = undefined;
    });
    return running;
  }

  function start(): void {
    clearTimeout(timer);
    if (running) return;
    // A change that is told between the last look and the end of the reading would wait for the next one.
    void run(readAgain()).then(() => isStale && !hasFailed && start());
  }

  feed.subscribe((subject) => {
    if (!subjects.includes(subject)) return;
    isStale = true;
    start();
  });
  feed.onClose(() => {
    isStale = false;
    clearTimeout(timer);
  });
  // After the subscription, so that a change that comes in between is not missed.
  await run(read().then(() => undefined));
  if (isStale) start();
  return { settled: async () => running };
}
