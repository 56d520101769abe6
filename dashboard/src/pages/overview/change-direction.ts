export type Direction = 'more' | 'times' | 'less' | 'same' | 'new';

/** From here on a figure is told as a multiple: "▲ ×812" says what "▲ 81,088.7%" makes a reader work out. */
const minTimes = 10;

/** How a figure differs from what it was: by what share of it, or by how much of a whole when both are shares. */
export function changeOf(now: number, before: number, isShare: boolean): { direction: Direction; share: number } {
  if (before <= 0 && now > before && !isShare) return { direction: 'new', share: 0 };
  const share = isShare ? now - before : before > 0 ? (now - before) / before : 0;
  // Tenths of a percent are shown: what is less is no difference, not "less by 0 %".
  if (Math.round(Math.abs(share) * 1000) === 0) return { direction: 'same', share };
  if (!isShare && share + 1 >= minTimes) return { direction: 'times', share };
  return { direction: share > 0 ? 'more' : 'less', share };
}
