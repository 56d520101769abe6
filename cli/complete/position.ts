import type { Argument, Command, Option } from 'commander';
import { verbAliases } from '../alias.ts';

/** Where on the command line a shell asks for words. */
export interface Position {
  /** Program, noun or verb: the last one that is written out. */
  command: Command;
  /** The flag whose value is being typed. */
  flag?: Option;
  /** The argument that is being typed, when the command takes one more. */
  argument?: Argument;
  /** Neither a verb nor an argument was typed yet. */
  isFirst: boolean;
  /** Behind `--` nothing is a flag. */
  flagsAllowed: boolean;
  /** Flags that are there already. */
  used: Set<string>;
  /** Part of the current word that stays: `--type=`, `a,b,`. */
  kept: string;
  /** The prefix of every suggestion. */
  partial: string;
}

/** Reads the words before the cursor against the command tree; `current` is the word the cursor is in. */
export function positionOf(program: Command, before: string[], current: string): Position {
  let command = program;
  let operands = 0;
  let flag: Option | undefined;
  let flagsAllowed = true;
  const used = new Set<string>();
  for (const word of before) {
    if (flag) flag = undefined;
    else if (flagsAllowed && word === '--') flagsAllowed = false;
    else if (flagsAllowed && /^-./.test(word)) {
      const found = flagNamed(command, word.replace(/=.*$/s, ''));
      if (found) used.add(found.long ?? found.flags);
      if (takesValue(found) && !word.includes('=')) flag = found;
    } else if (command === program && operands === 0 && word === 'help') continue;
    else {
      const next = operands === 0 ? commandNamed(command, word) : undefined;
      if (next) command = next;
      else operands += 1;
    }
  }
  const isFirst = operands === 0;
  const rest = { command, isFirst, flagsAllowed, used };
  if (flag) return { ...rest, flag, ...lastOfList(current) };
  const [, name, value] = /^(--[^=]+)=(.*)$/s.exec(current) ?? [];
  const assigned = flagsAllowed && name !== undefined ? flagNamed(command, name) : undefined;
  if (assigned && value !== undefined) {
    const { kept, partial } = lastOfList(value);
    return { ...rest, flag: assigned, kept: `${name}=${kept}`, partial };
  }
  return { ...rest, ...argumentAt(command, operands), kept: '', partial: current };
}

/** Values of flags may be lists: what is completed is the name behind the last comma. */
function lastOfList(text: string): Pick<Position, 'kept' | 'partial'> {
  const end = text.lastIndexOf(',') + 1;
  return { kept: text.slice(0, end), partial: text.slice(end) };
}

function argumentAt({ registeredArguments }: Command, index: number): Pick<Position, 'argument'> {
  const last = registeredArguments.at(-1);
  const argument = registeredArguments[index] ?? (last?.variadic ? last : undefined);
  return argument ? { argument } : {};
}

function commandNamed(command: Command, word: string): Command | undefined {
  const name = command.parent ? (verbAliases[word] ?? word) : word;
  return command.commands.find((candidate) => candidate.name() === name);
}

/** A command knows its own flags and those of the whole program. */
function flagNamed(command: Command, word: string): Option | undefined {
  for (let owner: Command | null = command; owner; owner = owner.parent) {
    const found = owner.options.find(({ long, short }) => long === word || short === word);
    if (found) return found;
  }
  return undefined;
}

const takesValue = (flag: Option | undefined) => Boolean(flag?.required || flag?.optional);
