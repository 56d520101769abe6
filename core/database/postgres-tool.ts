import { spawn } from 'node:child_process';

type Environment = Record<string, string | undefined>;

export interface ToolRun {
  /** Undefined where the program is not installed. */
  code: number | null | undefined;
  printed: string;
  said: string;
}

/**
 * Runs one of PostgreSQL's own programs, found on the PATH. Sign-in data goes by the environment: every user of the machine can see a
 * command line.
 */
export async function runPostgresTool(
  name: 'pg_dump' | 'pg_restore',
  words: string[],
  { url, environment }: { url: string; environment: Environment },
): Promise<ToolRun> {
  const [printed, said]: [string[], string[]] = [[], []];
  const code = await new Promise<number | null | undefined>((resolve, reject) => {
    const env = { ...environment, LC_MESSAGES: 'C', ...signInOf(url) };
    const child = spawn(name, words, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.setEncoding('utf8').on('data', (text: string) => printed.push(text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => said.push(text));
    child.on('error', (error: NodeJS.ErrnoException) => (error.code === 'ENOENT' ? resolve(undefined) : reject(error)));
    child.on('close', resolve);
  });
  return { code, printed: printed.join(''), said: said.join('').trim() };
}

export function databaseName(address: string): string {
  return decodeURIComponent(new URL(address).pathname.slice(1));
}

function signInOf(address: string): Environment {
  const url = new URL(address);
  const plain = (text: string) => decodeURIComponent(text);
  const values: Environment = {
    PGHOST: url.searchParams.get('host') ?? plain(url.hostname.replace(/^\[|\]$/g, '')),
    PGPORT: url.port,
    PGUSER: plain(url.username),
    PGPASSWORD: plain(url.password),
    PGDATABASE: databaseName(address),
    PGSSLMODE: toolMode(url),
    PGSSLROOTCERT: url.searchParams.get('sslrootcert') ?? '',
    PGSSLCERT: url.searchParams.get('sslcert') ?? '',
    PGSSLKEY: url.searchParams.get('sslkey') ?? '',
  };
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
}

/** In the words of PostgreSQL, which has none of its own for what our driver calls `no-verify`, and no `ssl=true`. */
function toolMode({ searchParams }: URL): string {
  const mode = searchParams.get('sslmode') ?? (/^(true|1)$/.test(searchParams.get('ssl') ?? '') ? 'require' : '');
  return mode === 'no-verify' ? 'require' : mode;
}
