import type { Command, Option } from 'commander';
import type { Config } from '../../core/config.ts';
import type { Language } from '../../core/errors/app-error.ts';
import { liveNames } from './live-name.ts';
import { type Position, positionOf } from './position.ts';
import { type Candidate, type CompletionSource, sourceOfArgument, sourceOfFlag } from './value.ts';

export interface CompletionRequest {
  /** Words behind the program's name, the last of which the cursor is in. */
  words: string[];
  language: Language;
  /** Where the names are; undefined where that cannot be told. */
  database(): Promise<Config['database'] | undefined>;
}

/** Shells read one suggestion per line, with a tab before its description; this line alone asks for file names. */
const filesWanted = ':files';

/** What may be at the cursor, a line each. */
export async function completionLines(program: Command, request: CompletionRequest): Promise<string[]> {
  const position = positionOf(program, request.words.slice(0, -1), request.words.at(-1) ?? '');
  const found = await candidatesAt(position, request);
  if (found === filesWanted) return [filesWanted];
  const { kept, partial } = position;
  return found
    .filter(({ value }) => value.startsWith(partial) && !/[\n\t]/.test(value))
    .map(({ value, description }) => `${kept}${value}${description ? `\t${oneLine(description)}` : ''}`);
}

async function candidatesAt(position: Position, request: CompletionRequest): Promise<Candidate[] | typeof filesWanted> {
  const { command, flag, argument, flagsAllowed, partial } = position;
  if (flag) return resolve(sourceOfFlag(flag, command), position, request);
  if (flagsAllowed && partial.startsWith('-')) return flagsOf(position);
  const commands = position.isFirst ? subcommandsOf(command) : [];
  if (commands.length > 0) return commands;
  if (argument) return resolve(sourceOfArgument(argument, command, request.language), position, request);
  return flagsAllowed && partial === '' ? flagsOf(position) : [];
}

function subcommandsOf(command: Command): Candidate[] {
  return command
    .createHelp()
    .visibleCommands(command)
    .map((visible) => ({ value: visible.name(), description: visible.description() }));
}

function flagsOf({ command, used }: Position): Candidate[] {
  const flags: Option[] = [];
  for (let owner: Command | null = command; owner; owner = owner.parent) flags.push(...owner.options);
  const shown = flags.filter(({ hidden, long }) => !hidden && long && !used.has(long) && long !== '--version');
  const candidates = shown.map(({ long, description }) => ({ value: long ?? '', description }));
  return [...candidates, { value: '--help', description: '' }];
}

async function resolve(
  source: CompletionSource,
  { partial }: Position,
  { database }: CompletionRequest,
): Promise<Candidate[] | typeof filesWanted> {
  if (source === 'none') return [];
  if (source === 'file') return filesWanted;
  if ('words' in source) return source.words;
  const place = await database();
  if (!place) return [];
  return (await liveNames(place, source.names, partial)).map((value) => ({ value }));
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ');
