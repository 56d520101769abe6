import { createHash } from 'node:crypto';
import type { PortableRow, PortableTable } from '../table.ts';

/** Columns that hold quota: their sums are shown as proof, besides the hash of every value. */
const moneyColumns = ['quota', 'used_quota', 'remain_quota', 'amount', 'aff_quota', 'aff_history'];

/** What the rows of a table are, as far as they were read. */
export interface Fingerprint {
  rows: number;
  /** A hash of the hash so far and the next page, so that it can go on where it stood. */
  hash: string;
}

export interface TableProof extends Fingerprint {
  /** Sum of each column that holds quota; text, because sums may be larger than a number can tell. */
  sums: Record<string, string>;
}

export const noRows: Fingerprint = { rows: 0, hash: '' };

/** Adds up the pages of a table, which must come in the order of its key. */
export function createFingerprint({ columns }: PortableTable) {
  const names = columns.map(({ name }) => name);
  const sums = new Map(names.filter((name) => moneyColumns.includes(name)).map((name) => [name, 0n]));
  let current = noRows;
  return {
    add(page: PortableRow[]): Fingerprint {
      const hash = createHash('sha256').update(current.hash);
      for (const row of page) hash.update(`${JSON.stringify(names.map((name) => row[name]))}\n`);
      for (const [name, sum] of sums) sums.set(name, sum + pageSum(page, name));
      current = { rows: current.rows + page.length, hash: hash.digest('hex') };
      return current;
    },
    proof: (): TableProof => ({
      ...current,
      sums: Object.fromEntries([...sums].map(([name, sum]) => [name, sum.toString()])),
    }),
  };
}

/** Each row is exact as a number, because quota is far below 2^53; only the sum may not be. */
function pageSum(page: PortableRow[], name: string): bigint {
  return page.reduce((sum, row) => sum + BigInt(Number(row[name] ?? 0)), 0n);
}
