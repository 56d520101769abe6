import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { plainText } from './plain-text.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';
export type LogFields = Record<string, string | number | boolean | null | undefined>;

/** error = someone must act, warn = look, info = happened. Fields are named one by one: no object of a client is ever logged whole. */
export interface Logger {
  log(level: LogLevel, text: string, fields?: LogFields, error?: unknown): void;
  /** Writes what is buffered; call before the process ends. */
  flush(): void;
}

export interface LoggerOptions {
  level: LogLevel | 'silent';
  format: 'json' | 'pretty';
  /** A file `tollgate.log` in this folder instead of standard output. */
  directory: string | undefined;
}

/** A write is a trip to another thread: at thousands of lines a second each takes some forty of them along. */
const bufferedBytes = 12 * 1024;

/** The numbers log readers know from pino, whose lines these are. */
const levelNumbers: Record<LogLevel, number> = {
  debug: 20,
  info: 30,
  warn: 40,
  error: 50,
};
const levelWords: Record<LogLevel, string> = { debug: 'debug', info: 'info ', warn: 'warn ', error: 'error' };

export function createLogger({ level, format, directory }: LoggerOptions): Logger {
  // A command's standard output is its own: not even an empty write is made to it.
  if (level === 'silent') return { log: () => undefined, flush: () => undefined };
  if (directory) mkdirSync(directory, { recursive: true, mode: 0o700 });
  const target = directory ? join(directory, 'tollgate.log') : 1;
  // Buffered: a line per request must not cost a write each; flushed within a second and at the end.
  const destination = pino.destination({ dest: target, sync: false, minLength: bufferedBytes, mode: 0o600 });
  // A log that cannot be written (a full disk) ends no server; lines are lost until there is room again.
  destination.on('error', () => {});
  const timer = setInterval(() => destination.flush(), 1000);
  timer.unref();
  const threshold = levelNumbers[level];
  const write = format === 'json' || directory ? jsonLine : pretty;

  return {
    log(severity, text, fields = {}, error) {
      if (levelNumbers[severity] < threshold) return;
      const all = error === undefined ? fields : { ...fields, ...errorFields(error) };
      destination.write(`${write(severity, text, all)}\n`);
    },
    flush() {
      try {
        destination.flushSync();
      } catch {
        // Standard output may be closed already (a broken pipe); there is nobody left to tell.
      }
    },
  };
}

function jsonLine(level: LogLevel, text: string, fields: LogFields): string {
  const members = JSON.stringify(fields).slice(1, -1);
  const start = `{"level":${levelNumbers[level]},"time":"${isoTime()}"`;
  return `${start}${members === '' ? '' : `,${members}`},"msg":${JSON.stringify(text)}}`;
}

let lastMs = 0;
let lastTime = '';

/** Many lines are written within one millisecond, and its text costs as much as the rest of a line. */
function isoTime(): string {
  const now = Date.now();
  if (now !== lastMs) {
    lastMs = now;
    lastTime = new Date(now).toISOString();
  }
  return lastTime;
}

function pretty(level: LogLevel, text: string, fields: LogFields): string {
  const time = new Date().toISOString().slice(11, 19);
  const words = Object.entries(fields)
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([name, value]) => `${name}=${value}`);
  return plainText([time, levelWords[level], text, ...words].join(' ')).replace(/\n/g, ' ');
}

function errorFields(error: unknown): LogFields {
  if (!(error instanceof Error)) return { error: String(error).slice(0, 500) };
  const cause = error.cause instanceof Error ? error.cause.message : undefined;
  return { error: error.message.slice(0, 500), cause: cause?.slice(0, 500), stack: error.stack?.slice(0, 2000) };
}
