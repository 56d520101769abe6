const idsShown = 5;

/** The first ids and how many more there are; a batch of codes has one name a thousand times. */
export function idList(rows: readonly { id: number }[]): string {
  const ids = rows.slice(0, idsShown).map(({ id }) => id);
  return ids.join(', ') + (rows.length > idsShown ? `, +${rows.length - idsShown}` : '');
}
