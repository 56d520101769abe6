/** The oldest that runs the program; package.json says so too. */
const oldest = [20, 19, 0];
/** The first of Node.js 20 with its last security fixes. Of newer lines, the package manager of the system knows more than this program. */
const patched = [20, 20, 2];

export type NodeState = 'tooOld' | 'unpatched' | 'ok';

/** `version`: as in `process.versions.node`, such as `20.20.2`. */
export function nodeState(version: string): NodeState {
  if (isBefore(version, oldest)) return 'tooOld';
  return isBefore(version, patched) ? 'unpatched' : 'ok';
}

function isBefore(version: string, bound: number[]): boolean {
  const parts = version.split('.').map(Number.parseFloat);
  const index = bound.findIndex((part, place) => parts[place] !== part);
  return index >= 0 && (parts[index] ?? 0) < (bound[index] ?? 0);
}
