/** Numbers between `error` and `test` mean something else to other consoles of the family. */
export const logType = { topUp: 1, consume: 2, manage: 3, system: 4, error: 5, test: 9 } as const;

/** What stands before the amount of a row: among costs, money that came in has a plus. */
export const signOf = ({ type, quota }: { type: number; quota: number }): string =>
  type !== logType.consume && quota > 0 ? '+' : '';
