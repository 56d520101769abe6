import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { render } from 'ink-testing-library';
import { expect } from 'vitest';
import { createSpeak } from '../../cli/text.ts';
import { TerminalApp } from '../../cli/tui/app.tsx';
import type { Environment } from '../../cli/tui/environment.ts';
import { widthOf } from '../../cli/tui/fit.ts';
import { symbolsFor } from '../../cli/tui/symbol.ts';
import { type App, createApp } from '../../core/app.ts';
import { loadConfig } from '../../core/config.ts';
import type { Language } from '../../core/errors/app-error.ts';
import { plainText } from '../../core/lib/plain-text.ts';
import { freePort } from './postgres.ts';

/** Keys that are not characters, as terminals send them. */
export const keys = {
  enter: '\r',
  escape: '\u001b',
  tab: '\t',
  shiftTab: '\u001b[Z',
  up: '\u001b[A',
  down: '\u001b[B',
  pageDown: '\u001b[6~',
  pageUp: '\u001b[5~',
  backspace: '\u007f',
  ctrlC: '\u0003',
  ctrlL: '\u000c',
  ctrlS: '\u0013',
  ctrlU: '\u0015',
};

export const pasted = (text: string) => `\u001b[200~${text}\u001b[201~`;

export interface TerminalOptions {
  columns?: number;
  rows?: number;
  language?: Language;
  /** The screen to begin with. */
  screen?: string;
  locale?: string;
  color?: boolean;
}

export interface TestTerminal {
  /** What is on the screen. */
  frame(): string;
  lines(): string[];
  /** With the escape sequences of its colors. */
  raw(): string;
  press(...input: string[]): Promise<void>;
  /** Waits until the screen shows it, and returns the screen. */
  until(wanted: string | RegExp): Promise<string>;
  untilGone(unwanted: string | RegExp): Promise<string>;
  resize(columns: number, rows: number): Promise<void>;
  /** How often a whole redraw was asked for. */
  redraws(): number;
  close(): void;
}

export interface TestInstallation {
  app: App;
  open(options?: TerminalOptions): TestTerminal;
  remove(): Promise<void>;
}

/** An installation of its own on SQLite, looked at on screens that exist in memory alone. */
export async function createTestInstallation(): Promise<TestInstallation> {
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-tui-'));
  // No listener there: whether a server runs beside the tests must not show.
  const env = {
    TOLLGATE_ROOT_PASSWORD: 'correct horse battery',
    LOOP_DELAY_LIMIT: '0',
    PORT: String(await freePort()),
  };
  const app = await createApp({ ...loadConfig({ dataDir: directory }, env), logLevel: 'silent' });
  const open: TestTerminal[] = [];
  return {
    app,
    open(options = {}) {
      const terminal = openTestTerminal(app, options);
      open.push(terminal);
      return terminal;
    },
    async remove() {
      for (const terminal of open) terminal.close();
      await app.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** The screens of an installation; close them before it. */
export function openTestTerminal(app: App, options: TerminalOptions = {}): TestTerminal {
  const { columns = 80, rows = 24, language = 'en', screen = 'overview', locale = 'C.UTF-8', color = false } = options;
  let redraws = 0;
  const environment: Environment = {
    app,
    language,
    color,
    place: 'test/tollgate.db',
    speak: createSpeak(language),
    symbols: symbolsFor({ LANG: locale }),
    redraw() {
      redraws += 1;
    },
  };
  const instance = render(<TerminalApp environment={environment} first={screen} />);
  const frame = () => plainText(instance.lastFrame() ?? '');
  const setSize = (width: number, height: number) => {
    Object.defineProperty(instance.stdout, 'columns', { value: width, configurable: true });
    Object.defineProperty(instance.stdout, 'rows', { value: height, configurable: true });
    instance.stdout.emit('resize');
  };
  setSize(columns, rows);

  async function until(check: () => boolean, what: string): Promise<string> {
    // A busy machine is late at everything.
    await expect
      .poll(check, { message: `${what} in\n${frame()}` })
      .toBe(true)
      .catch((error) => {
        throw new Error(`${what} in\n${frame()}`, { cause: error });
      });
    return frame();
  }
  const shows = (text: string | RegExp) => (typeof text === 'string' ? frame().includes(text) : text.test(frame()));
  return {
    frame,
    lines: () => frame().split('\n'),
    raw: () => instance.lastFrame() ?? '',
    async press(...input) {
      for (const text of input) {
        instance.stdin.write(text);
        await pause(30);
      }
    },
    until: (wanted) => until(() => shows(wanted), `waited for ${wanted}`),
    untilGone: (unwanted) => until(() => !shows(unwanted), `waited for the end of ${unwanted}`),
    async resize(width, height) {
      setSize(width, height);
      await pause(50);
    },
    redraws: () => redraws,
    close: instance.unmount,
  };
}

/** Every line fits, and the last row of the terminal stays free. */
export function expectInside({ lines }: Pick<TestTerminal, 'lines'>, columns: number, rows: number): void {
  expect(lines().length).toBeLessThanOrEqual(rows - 1);
  expect(lines().filter((line) => widthOf(line) > columns)).toEqual([]);
}
