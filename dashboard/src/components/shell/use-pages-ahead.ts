import { useEffect } from 'react';
import { loadPage } from '../../pages.ts';

/** A user who goes on sooner fetches the page then. */
const restMs = 3000;

let isBegun = false;

/** Fetches the pages of the navigation one after the other while there is nothing else to do, so that the first visit of each is quick, too. */
export function usePagesAhead(paths: string[]): void {
  const list = paths.join(' ');
  useEffect(() => {
    if (isBegun || isDear() || list === '') return;
    const timer = setTimeout(() => {
      isBegun = true;
      void loadAll(list.split(' '));
    }, restMs);
    return () => clearTimeout(timer);
  }, [list]);
}

async function loadAll(paths: string[]): Promise<void> {
  for (const path of paths) {
    await idle();
    // What fails now is tried again, and told, when the page is opened; the rest may fail likewise.
    if (!(await loadPage(path).then(...settled))) return;
  }
  await idle();
  await import('../../pages/detail/charts/usage-charts.tsx').catch(() => {});
}

const settled = [() => true, () => false] as const;

/** Safari has no idle callback. */
const idle = () =>
  new Promise<void>((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve());
    else setTimeout(resolve, 200);
  });

/** The user has asked to save data, or the connection is slow. */
function isDear(): boolean {
  const { connection } = navigator as { connection?: { saveData?: boolean; effectiveType?: string } };
  return connection?.saveData === true || (connection?.effectiveType ?? '4g') !== '4g';
}
