import { readFileSync } from 'node:fs';

/** Below that, some thousand streams end the room: each has a connection to its client and one to its upstream. */
const minFiles = 4096;

/** How many files this process may open, connections among them, where that is few; Linux tells. Node.js has raised it as far as it may. */
export function lowFileLimit(read: () => string = () => readFileSync('/proc/self/limits', 'utf8')): number | undefined {
  try {
    const limit = Number(/^Max open files +(\d+)/m.exec(read())?.[1]);
    return limit < minFiles ? limit : undefined;
  } catch {
    return undefined; // another system
  }
}
