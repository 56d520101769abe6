import { readdirSync, readFileSync } from 'node:fs';

/** Kernel clock ticks per second in /proc (USER_HZ, 100 on every Linux Node runs on). */
const ticksPerSecond = 100;

/** CPU seconds, user and system, of a process and everything below it. */
export function cpuSeconds(pid: number): number {
  return tree(pid).reduce((sum, { ticks }) => sum + ticks, 0) / ticksPerSecond;
}

/** Resident bytes of a process and everything below it. */
export function residentBytes(pid: number): number {
  return tree(pid).reduce((sum, { pid: member }) => sum + readResident(member), 0);
}

/** Watches the resident bytes until stopped; gives the highest value seen. */
export function watchPeak(pid: number): () => number {
  let peak = residentBytes(pid);
  const timer = setInterval(() => {
    peak = Math.max(peak, residentBytes(pid));
  }, 100);
  return () => {
    clearInterval(timer);
    return peak;
  };
}

interface ProcessState {
  pid: number;
  parent: number;
  ticks: number;
}

function tree(root: number): ProcessState[] {
  const all = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? readState(Number(name)) : []));
  const found = all.filter(({ pid }) => pid === root);
  // `found` grows while it is walked, until no process has a parent in it.
  for (const { pid } of found) found.push(...all.filter(({ parent }) => parent === pid));
  if (found.length === 0) throw new Error(`process ${root} is gone`);
  return found;
}

function readState(pid: number): ProcessState[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name is in parentheses and may contain anything; the fields after it are numbered from 3 in proc(5).
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const field = (number: number) => Number(fields[number - 3]);
    return [{ pid, parent: field(4), ticks: field(14) + field(15) }];
  } catch {
    return []; // ended between the listing and the reading
  }
}

function readResident(pid: number): number {
  const kibibytes = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
  return Number(kibibytes ?? 0) * 1024;
}
