/** When a job is due: so long after its last start, or once a day after a full hour of UTC. */
export type Schedule = { everySeconds: number } | { dailyAtHour: number };

export interface Job {
  name: string;
  /** Asked at every look; undefined = not wanted at present. */
  schedule(): Schedule | undefined;
  /** Resolves with what it did, for the log; nothing when there was nothing to do. Stops early when the signal fires. */
  run(signal: AbortSignal): Promise<Record<string, number> | undefined>;
  /** For what belongs to a process, such as files on its disk; every other job runs in one process at a time. */
  inEveryProcess?: boolean;
}
