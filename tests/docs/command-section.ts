import type { Command, Option } from 'commander';
import { nouns } from '../../cli/commands/registry.ts';
import { exitCode } from '../../cli/failure.ts';
import { defineNoun, examplesOf } from '../support/command-tree.ts';
import { runCli } from '../support/run-cli.ts';
import { code, markdownTable } from './markdown.ts';

const exitMeanings: Record<keyof typeof exitCode, string> = {
  done: 'done',
  failed: 'failed',
  usage: 'wrong usage, invalid input, or an answer was needed and could not be asked for',
  notFound: 'not found',
  notAllowed: 'not allowed',
  conflict: 'conflict, such as a name that is taken',
  batch: 'part of a batch failed',
  unreachable: 'database, port or upstream unreachable',
  timedOut: 'the job that was waited for has not ended in time',
  interrupted: 'interrupted',
};

/** The whole tree: shared flags, exit codes, then each noun with its verbs. */
export async function commandReference(): Promise<string> {
  const parts = [
    '## Flags of every command',
    await sharedFlagTable(),
    '## Exit codes',
    markdownTable(
      ['Code', 'Meaning'],
      Object.entries(exitCode).map(([name, value]) => [String(value), exitMeanings[name as keyof typeof exitCode]]),
    ),
  ];
  for (const name of Object.keys(nouns)) {
    const noun = await defineNoun(name, 'en');
    const verbs = [...noun.commands].sort((a, b) => a.name().localeCompare(b.name(), 'en'));
    parts.push(`## ${name}`, sentence(noun));
    if (verbs.length === 0) parts.push(...describe(noun, `tollgate ${name}`));
    for (const verb of verbs)
      parts.push(`### ${name} ${verb.name()}`, sentence(verb), ...describe(verb, `tollgate ${name} ${verb.name()}`));
  }
  return parts.join('\n\n');
}

/** Lines of the help, because only the program itself knows these flags. */
async function sharedFlagTable(): Promise<string> {
  const { stdout } = await runCli('version --help');
  const [, block = ''] = stdout.split('Global options:\n');
  const joined = block.trimEnd().replace(/\n {6,}/g, ' ');
  const rows = joined.split('\n').map((line) => line.trim().split(/ {2,}/));
  return markdownTable(
    ['Flag', 'Meaning'],
    rows.map(([flag = '', ...words]) => [code(flag), words.join(' ')]),
  );
}

function describe(command: Command, name: string): string[] {
  const examples = examplesOf(command);
  const words = command.registeredArguments.map((argument) => {
    const shown = `${argument.name()}${argument.variadic ? '...' : ''}`;
    return { shown: argument.required ? `<${shown}>` : `[${shown}]`, says: argument.description };
  });
  const flags = command.options.filter(({ hidden }) => !hidden);
  const usage = [name, ...words.map(({ shown }) => shown), ...(flags.length > 0 ? ['[flags]'] : [])].join(' ');
  const rows = [
    ...words.map(({ shown, says }) => [code(shown), says]),
    ...flags.map((flag) => [code(flag.flags), meaningOf(flag)]),
  ];
  return [
    `\`\`\`sh\n${examples.length > 0 ? examples.join('\n') : usage}\n\`\`\``,
    ...(rows.length > 0 ? [markdownTable(['Word', 'Meaning'], rows)] : []),
  ];
}

function meaningOf({ description, mandatory, argChoices }: Option): string {
  const choices = argChoices ? ` (${argChoices.join(', ')})` : '';
  return `${description}${choices}${mandatory ? '; required' : ''}`;
}

function sentence(command: Command): string {
  const text = command.description();
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
