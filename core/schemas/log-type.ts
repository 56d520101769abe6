/** Numbers between `error` and `test` mean something else to other consoles of the family. */
export const logType = { topUp: 1, consume: 2, manage: 3, system: 4, error: 5, test: 9 } as const;
