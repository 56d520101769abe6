import type { Argument, Command, Option } from 'commander';
import { AppError } from '../core/errors/app-error.ts';
import { localeLanguage } from '../core/lib/locale.ts';
import { version } from '../core/version.ts';
import { verbAliases } from './alias.ts';
import { SpokenCommand } from './command.ts';
import { withDataDirectory } from './command-hint.ts';
import { nouns } from './commands/registry.ts';
import { completeForShell } from './complete/run.ts';
import { type Context, createContext } from './context.ts';
import { offerBinding } from './doctor/offer-binding.ts';
import { exitCode, exitCodeOf, isHelp, readable } from './failure.ts';
import { checkFlags } from './flag/check.ts';
import { operandPositions, readSharedFlags, type SharedFlags } from './flag/shared.ts';
import { type Host, hasTerminal } from './host.ts';
import { createOutput } from './output.ts';
import { leavesNothing, needsInstallation } from './passing-place.ts';
import { createSpeak, type Speak } from './text.ts';

/** Runs one command line and resolves with its exit code; everything it prints goes through the output. */
export async function main(words: string[], host: Host = process): Promise<number> {
  const lost: NodeJS.ErrnoException[] = [];
  const { shared, speak, output } = openOutput(words, host, (error) => lost.push(error));
  const context = createContext({ host, shared, output, speak });
  if (words[0] === 'complete' && words.includes('--')) {
    await completeForShell((typed) => createProgram(typed, context), words, context);
    return exitCode.done;
  }
  const code = await run(words, context);
  // A full disk is told a moment after the words were handed over.
  await new Promise((resolve) => setImmediate(resolve));
  const [first] = lost;
  if (!first) return code;
  output.error(new AppError('cli.outputLost', { reason: first.code ?? first.message }));
  return code === exitCode.done ? exitCode.failed : code;
}

/** Nothing is left that the process could wait for, but the command has not ended: it waits for something that cannot come any more. */
export function tellUnfinished(words: string[], host: Host = process): void {
  openOutput(words, host, () => undefined).output.error(new AppError('cli.unfinished'));
}

function openOutput(words: string[], host: Host, onLost: (error: NodeJS.ErrnoException) => void) {
  const shared = readSharedFlags(words);
  const { dataDir } = shared;
  const language = shared.language ?? localeLanguage(host.env);
  const speak = createSpeak(language);
  const output = createOutput({
    ...shared,
    language,
    speak,
    color: wantsColor(shared, host),
    ...streams(host, onLost),
    ...(dataDir !== undefined && { propose: (text) => withDataDirectory(text, dataDir, Object.keys(nouns)) }),
  });
  return { shared, speak, output };
}

async function run(words: string[], context: Context): Promise<number> {
  try {
    const program = await createProgram(words, context);
    if (operandPositions(words).length > 0 || words.some((word) => /^(-h|--help|-V|--version)$/.test(word))) {
      await program.parseAsync(expandAliases(words, program), { from: 'user' });
      return context.exitCode;
    }
    return await runAlone(program, words, context);
  } catch (error) {
    if (isHelp(error)) return exitCode.done;
    return (await failed(error, context)) ?? exitCodeOf(readable(error));
  } finally {
    await context.close();
  }
}

/** Says what is wrong; the code of the second run where it could be set right. */
async function failed(error: unknown, context: Context): Promise<number | undefined> {
  const shown = readable(error);
  context.output.error(shown, await nearTo(shown, context));
  try {
    return await offerBinding(shown, context);
  } catch (failure) {
    context.output.error(readable(failure));
    return undefined;
  }
}

/** A wrong name is told with the one it was probably meant to be; what keeps that from being found is no second failure. */
async function nearTo(error: unknown, { databasePlace, speak }: Context): Promise<string> {
  if (!(error instanceof AppError)) return '';
  const { nearNamesFor } = await import('./near-name.ts');
  const near = await nearNamesFor(error, databasePlace).catch(() => []);
  return near.length === 0 ? '' : speak('usage.near', { near: near.join(', ') });
}

function streams(
  { stdout, stderr }: Host,
  onLost: (error: NodeJS.ErrnoException) => void,
): Pick<Host, 'stdout' | 'stderr'> {
  for (const stream of [stdout, stderr]) {
    // The reader went away (`| head`): the rest is not printed, and that is not a failure.
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') onLost(error);
    });
  }
  return { stdout, stderr };
}

function wantsColor({ color }: SharedFlags, { env, stdout }: Host): boolean {
  if (color !== 'auto') return color === 'always';
  if (env.NO_COLOR) return false;
  return env.FORCE_COLOR && env.FORCE_COLOR !== '0' ? true : Boolean(stdout.isTTY) && env.TERM !== 'dumb';
}

/** The whole tree of nouns, of which only the one that is meant brings its verbs: the others are not even loaded. */
async function createProgram(words: string[], context: Context): Promise<SpokenCommand> {
  const { output, speak } = context;
  const program = new SpokenCommand('tollgate', speak)
    .description(speak('help.program'))
    .version(version, '-V, --version', speak('help.versionFlag'))
    .helpOption('-h, --help', speak('help.helpFlag'))
    .commandsGroup(speak('help.group.system'))
    .helpCommand('help [command]', speak('help.helpCommand'))
    .exitOverride()
    .hook('preAction', (_, command) => {
      context.leavesNothing = leavesNothing(command);
      context.needsInstallation = needsInstallation(command);
    })
    .configureOutput({ writeOut: output.text, writeErr: output.text, outputError: () => undefined })
    .configureHelp({
      showGlobalOptions: true,
      styleTitle: (title) => translateTitle(title, speak),
      optionDescription: (option) => describe(option, speak),
      argumentDescription: (argument) => describe(argument, speak),
    });
  program.addHelpText('after', `\n${speak('help.programExamples')}`);
  addSharedFlags(program, speak);
  const [first = ''] = operandPositions(words).map((position) => words[position]);
  const wanted = first === 'help' ? words[operandPositions(words)[1] ?? -1] : first;
  for (const [name, { group, help, load }] of Object.entries(nouns)) {
    const noun = program.command(name).description(speak(help)).helpGroup(speak(group));
    if (name === wanted) {
      (await load()).define(noun, context);
      checkFlags(noun, speak);
    }
  }
  return program;
}

function addSharedFlags(program: Command, speak: Speak): void {
  program
    .option('--json', speak('help.json'))
    .option('-q, --quiet', speak('help.quiet'))
    .option('--verbose', speak('help.verbose'))
    .addOption(program.createOption('--color <when>', speak('help.color')).choices(['auto', 'always', 'never']))
    .option('--no-color', speak('help.noColor'))
    .option('--fields <names>', speak('help.fields'))
    .addOption(program.createOption('--language <language>', speak('help.language')).choices(['zh', 'en']))
    .option('--no-input', speak('help.noInput'))
    .option('--data-dir <folder>', speak('help.dataDir'));
}

/** Commander's own would name the choices in English. */
function describe(described: Option | Argument, speak: Speak): string {
  const { description, argChoices: choices = [] } = described;
  const isNamed = choices.every((choice) => description.includes(choice));
  const isNeeded = 'mandatory' in described && described.mandatory;
  return [
    description,
    isNamed ? '' : speak('help.choices', { choices: choices.join(', ') }),
    isNeeded ? speak('help.needed') : '',
  ].join('');
}

function translateTitle(title: string, speak: Speak): string {
  if (title === 'Usage:') return speak('help.titleUsage');
  if (title === 'Arguments:') return speak('help.titleArguments');
  if (title === 'Options:') return speak('help.titleOptions');
  if (title === 'Global Options:') return speak('help.titleGlobal');
  if (title === 'Commands:') return speak('help.titleCommands');
  return title;
}

function expandAliases(words: string[], program: Command): string[] {
  const expanded = [...words];
  let command: Command | undefined = program;
  for (const position of operandPositions(words)) {
    const word: string = expanded[position] ?? '';
    if (command !== program) expanded[position] = verbAliases[word] ?? word;
    command = command.commands.find((candidate) => candidate.name() === expanded[position]);
    if (!command || command.commands.length === 0) break;
  }
  return expanded;
}

/** `tollgate` alone: the first steps where there is nothing yet, else the screens; a script is told what can be done. */
async function runAlone(program: SpokenCommand, words: string[], context: Context): Promise<number> {
  const [unknown] = program.parseOptions(words).unknown;
  if (unknown !== undefined) program.unknownOption(unknown);
  if (context.shared.json) program.help({ error: true });
  if (!hasTerminal(context.host) || !context.shared.input) {
    program.outputHelp();
    return exitCode.usage;
  }
  if (await hasInstallation(context)) {
    const { startTui } = await import('./tui/start.ts');
    await startTui(context);
  } else {
    const { quickStart } = await import('./commands/init.ts');
    await quickStart(context);
  }
  return context.exitCode;
}

async function hasInstallation(context: Context): Promise<boolean> {
  const database = await context.databasePlace();
  if (database.engine === 'postgres') return true;
  const { existsSync } = await import('node:fs');
  return existsSync(database.file);
}
