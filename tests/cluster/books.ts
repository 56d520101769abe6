import { expect } from 'vitest';
import { compareBooks } from '../support/booked-calls.ts';
import type { Installation } from '../support/installation.ts';
import { type ClusterNode, resultOf } from './node.ts';

/** Every response that a client saw whole is in the books once, nothing is held, and nothing waits in a spool. */
export async function expectBooks(installation: Installation, nodes: ClusterNode[]): Promise<{ acknowledged: number }> {
  const open = () => installation.count('quota_holds WHERE state = 0');
  await expect.poll(open, { timeout: 90_000, message: 'holds are returned' }).toBe(0);
  const result = resultOf(nodes);
  const books = await compareBooks(installation, result);
  expect(books).toEqual({ acknowledged: result.seen.length, lost: 0, doubled: 0, wrongSums: 0, openHolds: 0 });
  return { acknowledged: books.acknowledged };
}

/** The process that this node runs now, as the ledger knows it. */
export async function ownerOf({ database }: Installation, node: ClusterNode): Promise<string> {
  const [owner] = await database.select<{ id: string }>('SELECT id FROM ledger_owners WHERE pid = :pid', {
    pid: node.process().pid,
  });
  if (!owner) throw new Error(`${node.name} is not in the ledger`);
  return owner.id;
}

/** The time after which a silent process is dead has passed for this one; all others go on as before. */
export async function ageOwner({ database }: Installation, id: string): Promise<void> {
  await database.sequelize.query('UPDATE ledger_owners SET seen_at = seen_at - 100 WHERE id = :id', {
    replacements: { id },
  });
}

/** It has just given a sign of life. */
export async function seeOwner({ database }: Installation, id: string): Promise<void> {
  const replacements = { id };
  await database.sequelize.query(
    'UPDATE ledger_owners SET seen_at = extract(epoch FROM now())::bigint WHERE id = :id',
    { replacements },
  );
}
