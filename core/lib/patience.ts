/** To take leave of a server. One that says nothing any more keeps a link open for as long as the system lets it. */
export const leaveMs = 1000;
/** For the last rows that a process writes when it ends, and that are no money. */
export const lastWriteMs = 2000;
/** For mail on its way: one that is cut off is sent again by the next start, and its reader gets it twice. */
export const lastMailMs = 5000;

/** Waits for the work, but no longer than this: then it goes on by itself, whatever becomes of it. */
export async function waitAtMost(limitMs: number, work: Promise<unknown>): Promise<void> {
  await endsWithin(limitMs, work);
}

/** Waits in the same way, and tells whether the work has ended. */
export async function endsWithin(limitMs: number, work: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, limitMs, false);
  });
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
