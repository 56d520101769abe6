/** What the command line needs of the process it runs in; `process` itself fits. */
export interface Host {
  env: Record<string, string | undefined>;
  stdin: NodeJS.ReadableStream & { isTTY?: boolean; setRawMode?(on: boolean): unknown };
  stdout: NodeJS.WritableStream & { isTTY?: boolean; columns?: number };
  stderr: NodeJS.WritableStream & { isTTY?: boolean };
  on(event: HostSignal, listener: () => void): unknown;
  off(event: HostSignal, listener: () => void): unknown;
  exit(code: number): unknown;
}

export type HostSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

export function hasTerminal({ stdin, stdout }: Pick<Host, 'stdin' | 'stdout'>): boolean {
  return Boolean(stdin.isTTY && stdout.isTTY);
}
