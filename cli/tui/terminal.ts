import stringWidth from 'string-width';
import type { Host } from '../host.ts';

const csi = '\u001b[';
/** The line that is left is erased first: what was typed while the program was loaded stands on it. */
const enterScreen = `\r${csi}K${csi}?1049h${csi}H`;
const leaveScreen = `${csi}?1049l`;
const marksPastes = `${csi}?2004h`;
const marksNoPastes = `${csi}?2004l`;
const hideCursor = `${csi}?25l`;
const showCursor = `${csi}?25h`;
const eraseScreen = `${csi}0m${csi}2J`;
/** The terminal shows what comes between the two at once. */
const beginFrame = `${csi}?2026h`;
const endFrame = `${csi}?2026l`;

/** Quick changes, as when a key is held down, are drawn together. */
const pauseMs = 16;

export interface Terminal {
  /** For Ink in debug mode, which writes a whole frame at each change. */
  stdout: NodeJS.WriteStream;
  /** Draws lines at once, before there is an Ink. */
  show(lines: string[]): void;
  /** Redraws every line. */
  redraw(): void;
  /** Gives back the terminal as it was; may be called twice. */
  close(): void;
}

interface TerminalOptions {
  /** For screen readers: what is new is written as plain lines, below what is there. */
  isPlain?: boolean;
}

/**
 * Takes the keyboard and the alternate screen until it is closed or the process ends, and asks the terminal to mark what is pasted. Of each frame only
 * the lines that differ are written, each at its place: nothing flickers, and nothing above the screen is touched.
 */
export function openTerminal(
  host: Pick<Host, 'stdout' | 'stdin'>,
  { isPlain = false }: TerminalOptions = {},
): Terminal {
  const { stdin } = host;
  const stdout = host.stdout as NodeJS.WriteStream;
  let isOpen = true;
  let shown: string[] = [];
  let wanted: string[] = [];
  let isErased = false;
  let timer: NodeJS.Timeout | undefined;

  function paint(): void {
    timer = undefined;
    if (!isOpen) return;
    if (isPlain) stdout.write(newLines(shown, wanted));
    else paintChanges();
    shown = wanted;
  }

  function paintChanges(): void {
    const text = (isErased ? '' : eraseScreen) + changedLines(shown, wanted, stdout.columns || 80);
    isErased = true;
    if (text !== '') stdout.write(beginFrame + text + endFrame);
  }

  function draw(frame: string | Uint8Array): boolean {
    wanted = String(frame).split('\n');
    timer ??= setTimeout(paint, pauseMs);
    return true;
  }

  function close(): void {
    if (!isOpen) return;
    isOpen = false;
    clearTimeout(timer);
    process.off('exit', close);
    process.off('uncaughtExceptionMonitor', close);
    stdin.setRawMode?.(false);
    stdout.write(marksNoPastes + (isPlain ? '' : leaveScreen + showCursor));
  }

  // An uncaught error is printed to the screen that stays.
  process.on('uncaughtExceptionMonitor', close);
  process.on('exit', close);
  // Before anything is drawn: what is typed from now on is not echoed into the picture.
  stdin.setRawMode?.(true);
  stdout.write((isPlain ? '' : enterScreen + hideCursor) + marksPastes);
  return {
    stdout: withWrite(stdout, draw),
    show(lines) {
      wanted = lines;
      paint();
    },
    redraw() {
      shown = [];
      isErased = false;
      timer ??= setTimeout(paint, pauseMs);
    },
    close,
  };
}

function changedLines(shown: string[], wanted: string[], columns: number): string {
  let text = '';
  for (let index = 0; index < Math.max(shown.length, wanted.length); index++) {
    const line = wanted[index] ?? '';
    if (line === shown[index]) continue;
    // Behind a line that fills the row the cursor still is on its last cell, which must not be erased.
    const rest = stringWidth(line) < columns ? `${csi}K` : '';
    text += `${csi}${index + 1};1H${line}${csi}0m${rest}`;
  }
  return text;
}

/** A list that was read out already is not read out again because one of its rows has changed. */
function newLines(shown: string[], wanted: string[]): string {
  const known = new Set(shown);
  return wanted
    .filter((line) => line.trim() !== '' && !known.has(line))
    .map((line) => `${line.trimEnd()}\n`)
    .join('');
}

/** The stream itself in all but what is written to it. */
function withWrite(stdout: NodeJS.WriteStream, write: (frame: string | Uint8Array) => boolean): NodeJS.WriteStream {
  return new Proxy(stdout, {
    get(target, name) {
      if (name === 'write') {
        return (frame: string | Uint8Array, done?: unknown) => {
          if (frame.length > 0) write(frame);
          if (typeof done === 'function') setImmediate(done as () => void);
          return true;
        };
      }
      const value = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
