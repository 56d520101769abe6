import { AppError, type Language } from '../core/errors/app-error.ts';
import { plainJson, plainText } from '../core/lib/plain-text.ts';
import type { Page } from '../core/schemas/paging.ts';
import type { Host } from './host.ts';
import type { Color, Layout, TableCell } from './print/table.ts';
import type { Speak } from './text.ts';

export interface Column<T> extends Layout {
  value(row: T): string | number | boolean | null;
  color?(row: T): Color | undefined;
}

export interface OutputOptions extends Pick<Host, 'stdout' | 'stderr'> {
  json: boolean;
  quiet: boolean;
  verbose: boolean;
  color: boolean;
  fields: string[] | undefined;
  /** Completes the commands that a sentence proposes. */
  propose?(text: string): string;
  language: Language;
  speak: Speak;
}

/** The only place of the command line that prints: data to stdout, everything else to stderr. */
export interface Output {
  readonly language: Language;
  readonly json: boolean;
  readonly quiet: boolean;
  /** Stdout is a screen. */
  readonly terminal: boolean;
  readonly color: boolean;
  /** A sentence for people; silent with --quiet and --json. */
  say(sentence: string): void;
  /** One object: JSON as it is, else `sentence`. */
  record(object: object, sentence: string): void;
  /** One object for people to read, a line per field. */
  details(object: object): void;
  list<T extends object>(page: Page<T>, columns: Column<T>[]): Promise<void>;
  /** Further rows of a list that never ends: a line of JSON each, else a line of the table, its header once. */
  append<T extends object>(rows: T[], columns: Column<T>[]): Promise<void>;
  /** Result of an action: `{success, message, data}`. */
  done(message: string, data?: unknown): void;
  /** One step of several: a line of JSON, else the sentence. */
  step(object: object, sentence: string): void;
  /** `behind` ends the message: what else could have been meant. */
  error(error: unknown, behind?: string): void;
  /** Raw text of a command whose output is its own format. */
  text(text: string): void;
  /** Draws what the work prints over the screen, in one piece, so that nothing flickers. */
  repaint(work: () => Promise<void>): Promise<void>;
  /** How far long work is, in one line of a screen that every other line goes above; undefined takes it away. */
  progress(text: string | undefined): void;
  /** A question on the screen, without a line feed behind it. */
  prompt(text: string): void;
}

/** About a screenful. */
const rowsMeasured = 50;

export function createOutput(options: OutputOptions): Output {
  const { json, quiet, verbose, color, fields, propose = String, language, speak, stdout, stderr } = options;
  const terminal = Boolean(stdout.isTTY);
  const status = createStatusLine(stderr, quiet || json);
  let frame: string[] | undefined;
  const line = (text: string) => (frame ? void frame.push(text) : status.above(() => stdout.write(`${text}\n`)));
  const note = (text: string) =>
    frame ? void frame.push(plainText(text)) : status.above(() => stderr.write(`${plainText(text)}\n`));
  const jsonLine = (object: object) => line(jsonText(pick(object, fields)));
  let above: TableCell[][] = [];
  let isHeaded = false;

  return {
    language,
    json,
    quiet,
    terminal,
    color,
    say(sentence) {
      if (!quiet && !json) note(propose(sentence));
    },
    record(object, sentence) {
      if (json) jsonLine(object);
      else line(plainText(propose(sentence)));
    },
    details(object) {
      requireFields(object, fields, speak);
      if (json) return jsonLine(object);
      const entries = Object.entries(pick(object, fields));
      const width = Math.max(0, ...entries.map(([name]) => name.length));
      for (const [name, value] of entries) line(`${name.padEnd(width)}  ${plainText(cellText(value))}`.trimEnd());
    },
    async list(page, columns) {
      for (const item of page.items.slice(0, 1)) requireFields(item, fields, speak);
      const items = page.items.map((item) => pick(item, fields));
      if (json) return line(jsonText({ ...page, items }));
      const shown = fields ? fieldColumns(fields) : columns;
      const rows = cellsOf(page.items, shown);
      if (!terminal) {
        for (const row of rows) line(row.map(({ text }) => text).join('\t'));
        return;
      }
      // Only a terminal pays for loading what measures wide characters.
      const { layOut } = await import('./print/table.ts');
      for (const text of layOut(shown, rows, { width: stdout.columns ?? 80, color })) line(text);
      const isWhole = page.total > 0 && page.items.length === page.total;
      if (!quiet && !isWhole) note(footer(page, speak));
    },
    async append(items, columns) {
      for (const item of items.slice(0, 1)) requireFields(item, fields, speak);
      if (json) {
        for (const item of items) jsonLine(item);
        return;
      }
      const shown = fields ? fieldColumns(fields) : columns;
      const rows = cellsOf(items, shown);
      if (!terminal) {
        for (const row of rows) line(row.map(({ text }) => text).join('\t'));
        return;
      }
      const { layOut } = await import('./print/table.ts');
      // Rows above are measured too, so that columns stay where they are.
      const lines = layOut(shown, [...above, ...rows], { width: stdout.columns ?? 80, color });
      for (const text of lines.slice(isHeaded ? 1 + above.length : 0)) line(text);
      isHeaded = true;
      above = [...above, ...rows].slice(-rowsMeasured);
    },
    done(message, data) {
      if (json) line(jsonText({ success: true, message, ...(data === undefined ? {} : { data }) }));
      else if (!quiet) line(plainText(propose(message)));
    },
    step(object, sentence) {
      if (json) jsonLine(object);
      else if (!quiet) line(plainText(propose(sentence)));
    },
    error(error, behind = '') {
      const known = error instanceof AppError ? error : undefined;
      const text = known?.text(language) ?? (error instanceof Error ? error.message : String(error));
      const message = propose(shortened(text) + behind);
      const hint = propose((known ? known.hint(language) : speak('error.bug')) ?? '');
      if (json) {
        note(jsonText({ error: { code: known?.code ?? 'internal.error', message, ...(hint ? { hint } : {}) } }));
      } else {
        note(`tollgate: ${message}`);
        if (hint) note(`  ${hint}`);
      }
      if (verbose) for (const part of causes(error)) note(part);
    },
    text: (text) => void stdout.write(text),
    async repaint(work) {
      frame = [];
      try {
        await work();
        // Home, each line up to its end, then nothing below.
        stdout.write(`\u001b[H${frame.map((text) => `${text}\u001b[K\n`).join('')}\u001b[J`);
      } finally {
        frame = undefined;
      }
    },
    progress: status.show,
    prompt: (text) => void stderr.write(text),
  };
}

/** For a file or another program; what a screen would obey stands as an escape. */
export const jsonText = (value: unknown, indent?: number) => plainJson(JSON.stringify(value, null, indent));

/** A whole file typed as a name is told by how it begins. */
const shortened = (text: string) => text.replace(/\S{201,}/gu, (run) => `${[...run].slice(0, 60).join('')}…`);

/** The last line of the screen, rewritten in place; only on a screen. */
function createStatusLine(stderr: OutputOptions['stderr'], isSilent: boolean) {
  const isOn = Boolean(stderr.isTTY) && !isSilent;
  let shown = '';
  const erase = () => void (shown && stderr.write('\r\u001b[K'));
  return {
    show(text = '') {
      if (!isOn || text === shown) return;
      erase();
      shown = plainText(text);
      if (shown) stderr.write(shown);
    },
    above(write: () => unknown): void {
      erase();
      write();
      if (shown) stderr.write(shown);
    },
  };
}

function pick(object: object, fields: string[] | undefined): object {
  if (!fields) return object;
  return Object.fromEntries(
    fields.flatMap((name) => (Object.hasOwn(object, name) ? [[name, fieldOf(object, name)]] : [])),
  );
}

/** A misspelled name would look like an empty value. */
function requireFields(object: object, fields: string[] | undefined, speak: Speak): void {
  const unknown = fields?.find((name) => !Object.hasOwn(object, name));
  if (unknown === undefined) return;
  const known = Object.keys(object).join(', ');
  throw new AppError('input.invalid', { reason: speak('usage.unknownField', { name: unknown, known }) });
}

const fieldOf = (object: object, name: string): unknown => (object as Record<string, unknown>)[name];

function fieldColumns<T extends object>(fields: string[]): Column<T>[] {
  // What was asked for by name is not left out, however narrow the screen.
  return fields.map((name) => ({
    title: name.toUpperCase(),
    keep: true,
    value: (row) => cellText(fieldOf(row, name)),
  }));
}

function cellsOf<T extends object>(rows: T[], columns: Column<T>[]): TableCell[][] {
  return rows.map((row) =>
    columns.map((column) => ({ text: oneLine(cellText(column.value(row))), color: column.color?.(row) })),
  );
}

/** A long list is not counted to its end. */
type CountedPage = Page<object> & { total_capped?: boolean };

function footer(page: CountedPage, speak: Speak): string {
  const { items, total, page_size, total_capped: isCapped = false } = page;
  if (total === 0) return speak('list.none');
  if (items.length === 0) return speak('list.beyond', { page: page.page, total });
  const before = (page.page - 1) * page_size;
  const last = before + items.length;
  const range = speak('list.range', { first: before + 1, last, total: isCapped ? `${total}+` : total });
  return last < total || (isCapped && items.length === page_size)
    ? `${range} · ${speak('list.more', { page: page.page + 1 })}`
    : range;
}

function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

const oneLine = (text: string) => plainText(text).replace(/[\t\n]/g, ' ');

/** The stack of an error, then of what caused it. */
function causes(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const own = error.stack ?? error.message;
  return [own, ...causes(error.cause).map((text) => `caused by: ${text}`)];
}
