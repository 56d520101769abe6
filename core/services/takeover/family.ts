const common = ['users', 'tokens', 'channels', 'options'];

/** Whether these are the tables of one-api or of a program that was made from it. */
export const isFamily = (tables: { has(table: string): boolean }): boolean =>
  common.every((table) => tables.has(table));
