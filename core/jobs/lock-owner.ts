import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { runs } from '../lib/live-process.ts';

/** Of this process: the same pid under another id is a predecessor, as in a container that was started again. */
const ownersHere = new Set<string>();

/** An owner of job locks, by a name that tells whether its process still runs. */
export function createLockOwner(): string {
  const id = randomUUID();
  ownersHere.add(id);
  return [id, process.pid, hostname()].join(' ');
}

/** Surely gone. Of a process elsewhere, and of any other owner, that cannot be said. */
export function isGone(owner: string): boolean {
  const [id = '', pid = '', host] = owner.split(' ');
  if (host !== hostname() || !/^[1-9]\d*$/.test(pid)) return false;
  return Number(pid) === process.pid ? !ownersHere.has(id) : !runs(Number(pid));
}
