import { z } from 'zod';

/** The order of a list: the name of a field, with `-` before it from the largest down. Rows that are equal come newest first. */
export const sortSchema = <const Field extends string>(fields: readonly Field[]) =>
  z.enum(fields.flatMap((field) => [field, `-${field}` as const])).optional();
