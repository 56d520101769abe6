import { Writable } from 'node:stream';
import { Command } from 'commander';
import { nouns } from '../../cli/commands/registry.ts';
import { type Context, createContext } from '../../cli/context.ts';
import { readSharedFlags } from '../../cli/flag/shared.ts';
import { createOutput } from '../../cli/output.ts';
import { createSpeak } from '../../cli/text.ts';
import type { Language } from '../../core/errors/app-error.ts';

export interface TreeCommand {
  /** `channel list`. */
  name: string;
  noun: string;
  command: Command;
  /** Nouns with verbs do nothing of their own. */
  isRun: boolean;
}

/** Every noun with its verbs, as the program defines them. */
export async function commandTree(language: Language): Promise<TreeCommand[]> {
  const found: TreeCommand[] = [];
  for (const name of Object.keys(nouns)) {
    const noun = await defineNoun(name, language);
    const add = (command: Command, path: string) => {
      found.push({ name: path, noun: name, command, isRun: command.commands.length === 0 });
      for (const verb of command.commands) add(verb, `${path} ${verb.name()}`);
    };
    add(noun, name);
  }
  return found;
}

export async function defineNoun(name: string, language: Language): Promise<Command> {
  const entry = nouns[name];
  if (!entry) throw new Error(`there is no command ${name}`);
  const context = createDefinitionContext(language);
  const noun = new Command('tollgate').command(name).description(context.speak(entry.help));
  (await entry.load()).define(noun, context);
  return noun;
}

/** The lines of the examples above a command's help. */
export function examplesOf(command: Command): string[] {
  let text = '';
  command.configureOutput({
    writeOut: (piece) => {
      text += piece;
    },
  });
  command.outputHelp();
  const [, block = ''] = /^(?:Examples:|示例：)\n([\s\S]*?)\n\n?Usage:/.exec(text) ?? [];
  return block
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
}

/** Enough to define commands with; none of them is run. */
function createDefinitionContext(language: Language): Context {
  const nowhere = () => new Writable({ write: (_chunk, _encoding, done) => done() });
  const host = {
    env: {},
    stdin: process.stdin,
    stdout: nowhere(),
    stderr: nowhere(),
    on: () => undefined,
    off: () => undefined,
    exit: () => undefined,
  };
  const shared = readSharedFlags([]);
  const speak = createSpeak(language);
  const { stdout, stderr } = host;
  const output = createOutput({ ...shared, color: false, language, speak, stdout, stderr });
  return createContext({ host, shared, output, speak });
}
