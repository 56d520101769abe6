import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { binaryPath } from './built-binary.ts';
import { runCli } from './run-cli.ts';

export interface ShellCommand {
  /** The folder for the PATH. */
  folder: string;
  close(): Promise<void>;
}

interface Typed {
  words: string[];
  env: Record<string, string>;
  cwd: string;
  stdin: string;
}

/**
 * `tollgate` for a shell script, in a folder for its PATH. What stays for a while (`serve`, `demo`) is the build; every other command runs
 * in this process, which saves most of a second of a core each time.
 */
export async function createShellCommand(place: string): Promise<ShellCommand> {
  const folder = join(place, 'bin');
  const socket = join(place, 'tollgate.sock');
  const server = createServer(async (request, response) => {
    const run = await runHere(JSON.parse(await text(request)) as Typed);
    response.end(JSON.stringify(run));
  });
  server.listen(socket);
  await once(server, 'listening');
  mkdirSync(folder);
  const node = `"${process.execPath}"`;
  writeFileSync(join(place, 'send.cjs'), sendProgram(socket));
  writeFileSync(
    join(folder, 'tollgate'),
    `#!/bin/sh
case "\${1-}" in serve | demo) exec ${node} "${binaryPath()}" "$@" ;; esac
exec ${node} "${join(place, 'send.cjs')}" "$@"
`,
    { mode: 0o755 },
  );
  async function close(): Promise<void> {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }
  return { folder, close };
}

/** Files are named from the folder in which the command was typed. */
async function runHere({ words, env, cwd, stdin }: Typed) {
  const before = process.cwd();
  process.chdir(cwd);
  try {
    const { code, stdout, stderr } = await runCli(words, { env, stdin });
    return { code, stdout, stderr };
  } finally {
    process.chdir(before);
  }
}

/** Standard input is read only where a flag says that something is there: a script's own never ends. */
const sendProgram = (socket: string) => `
const { readFileSync } = require('node:fs');
const words = process.argv.slice(2);
const stdin = words.some((word) => word.endsWith('-stdin')) ? readFileSync(0, 'utf8') : '';
const request = require('node:http').request({ socketPath: ${JSON.stringify(socket)}, method: 'POST' }, async (response) => {
  let answer = '';
  for await (const piece of response) answer += piece;
  const { code, stdout, stderr } = JSON.parse(answer);
  process.stdout.write(stdout);
  process.stderr.write(stderr);
  process.exitCode = code;
});
request.end(JSON.stringify({ words, env: process.env, cwd: process.cwd(), stdin }));
`;
