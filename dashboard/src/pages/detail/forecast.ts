const farDays = 365;

/** Days until nothing is left, when every day costs what the last seven did. */
export function forecast({ left, spentInWeek }: { left: number; spentInWeek: number }): { key: string; days: number } {
  const days = spentInWeek > 0 ? Math.floor((left * 7) / spentInWeek) : farDays;
  if (left <= 0) return { key: 'empty', days: 0 };
  if (spentInWeek <= 0) return { key: 'unused', days };
  if (days < 2) return { key: days < 1 ? 'hours' : 'day', days };
  return { key: days >= farDays ? 'long' : 'days', days };
}
