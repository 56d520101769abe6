/** mysqldump's first and last line. */
const line = /^-- (?:(MySQL|MariaDB) dump|Dump completed)/gm;
/** Settings of the session that a dump keeps at its start, and puts back as its last statements. phpMyAdmin and HeidiSQL do so, too. */
const kept = /@OLD_(\w+)\s*=\s*@@/gi;
const putBack = /(?:=|IFNULL\()\s*@OLD_(\w+)/gi;
/** Navicat's first and last statement. */
const keys = /^SET FOREIGN_KEY_CHECKS ?= ?([01]);/gm;

/** A mark may stand across two pieces. */
const overlap = 100;
/** All that is kept is kept within it. */
const headLength = 4096;

/** `unknown`: nothing in the dump says where it ends. */
export type DumpEnd = 'whole' | 'cut' | 'unknown';

/** Finds out whether a dump is whole: one that was cut off between two statements reads like any other. */
export function createEndWatch() {
  let before = '';
  let read = 0;
  let last: RegExpExecArray | undefined;
  let keysOn: boolean | undefined;
  const waiting = new Set<string>();
  let hasKept = false;

  return {
    take(piece: string): void {
      const text = before + piece;
      before = text.slice(-overlap);
      last = [...text.matchAll(line)].at(-1) ?? last;
      const set = [...text.matchAll(keys)].at(-1)?.[1];
      if (set !== undefined) keysOn = set === '1';
      if (read < headLength) for (const [, name = ''] of text.matchAll(kept)) waiting.add(name.toUpperCase());
      read += piece.length;
      hasKept ||= waiting.size > 0;
      for (const [, name = ''] of text.matchAll(putBack)) waiting.delete(name.toUpperCase());
    },
    end(): DumpEnd {
      if (last !== undefined) return last[1] === undefined ? 'whole' : 'cut';
      if (hasKept) return waiting.size === 0 ? 'whole' : 'cut';
      if (keysOn === undefined) return 'unknown';
      return keysOn ? 'whole' : 'cut';
    },
  };
}
