import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { makeFolder } from './make-folder.ts';
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

export function createLogger({ level, format, directory }: LoggerOptions): Logger {
  // A command's standard output is its own: not even an empty write is made to it.
  if (level === 'silent') return { log: () => undefined, flush: () => undefined };
  const target = directory ? openFile(directory) : 1;
  // Buffered: a line per request must not cost a write each; flushed within a second and at the end. As bytes, because a buffer of text
  // is measured again for each line that is added to it.
  const destination = pino.destination({
    dest: target,
    sync: false,
    minLength: bufferedBytes,
    contentMode: 'buffer',
    mode: 0o600,
  });
  // A log that cannot be written (a full disk) ends no server; lines are lost until there is room again.
  destination.on('error', () => {});
  const timer = setInterval(() => destination.flush(), 1000);
  timer.unref();
  const isJson = format === 'json' || directory !== undefined;
  // Its types know of text alone.
  const write = (line: string) => destination.write(Buffer.from(line) as unknown as string);
  const stream = { write: isJson ? write : (line: string) => write(pretty(line)) };
  const logger = pino({ level, base: null, timestamp: createTimeField() }, stream);

  return {
    log(severity, text, fields = {}, error) {
      logger[severity](error === undefined ? fields : { ...fields, ...errorFields(error) }, text);
    },
    flush() {
      try {
        destination.flushSync();
      } catch {
        // Standard output may be closed already (a broken pipe); there is no other place to report to.
      }
    },
  };
}

/** One that cannot be written is told at the start: later on an error would have no place to go. */
function openFile(directory: string): string {
  makeFolder(directory);
  const file = join(directory, 'tollgate.log');
  closeSync(openSync(file, 'a', 0o600));
  return file;
}

/** The time of a line, as pino writes it. Many lines share a second, whose text is made once. */
function createTimeField(): () => string {
  let second = Number.NaN;
  let prefix = '';
  return () => {
    const at = Date.now();
    const milliseconds = at % 1000;
    if (at - milliseconds !== second) {
      second = at - milliseconds;
      prefix = `,"time":"${new Date(second).toISOString().slice(0, 20)}`;
    }
    return `${prefix}${String(milliseconds).padStart(3, '0')}Z"`;
  };
}

/** For a person at a terminal: the same line without its JSON. */
function pretty(line: string): string {
  const { level, time, msg, ...fields } = JSON.parse(line) as LogFields & { level: number; time: string };
  const words = Object.entries(fields)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}=${value}`);
  const head = [time.slice(11, 19), pino.levels.labels[level]?.padEnd(5), msg];
  return `${plainText([...head, ...words].join(' ')).replace(/\n/g, ' ')}\n`;
}

function errorFields(error: unknown): LogFields {
  if (!(error instanceof Error)) return { error: String(error).slice(0, 500) };
  const cause = error.cause instanceof Error ? error.cause.message : undefined;
  return { error: error.message.slice(0, 500), cause: cause?.slice(0, 500), stack: error.stack?.slice(0, 2000) };
}
