import type { Argument, Command, Option } from 'commander';
import type { NameKind } from '../../core/database/name-list.ts';
import { channelTypes } from '../../core/schemas/channel-type-list.ts';
import { optionKeys } from '../../core/schemas/option.ts';
import { optionText } from '../../core/text/option.ts';

/** One suggestion: the text to type and a short description. */
export interface Candidate {
  value: string;
  description?: string;
}

/** What a flag or an argument takes: words known here, names of the installation, or a file. */
export type CompletionSource = { words: Candidate[] } | { names: NameKind } | 'file' | 'none';

const statusWords: Record<string, string[]> = {
  channel: ['enabled', 'disabled', 'auto-disabled'],
  token: ['enabled', 'disabled', 'expired', 'exhausted'],
  user: ['enabled', 'disabled', 'deleted'],
  redemption: ['unused', 'disabled', 'used', 'expired'],
};

const namesByWord: Record<string, NameKind> = {
  channel: 'channel',
  channels: 'channel',
  token: 'token',
  tokens: 'token',
  user: 'user',
  users: 'user',
  username: 'user',
  redemption: 'redemption',
  redemptions: 'redemption',
  codes: 'redemption',
  tag: 'tag',
  model: 'model',
  models: 'model',
  'test-model': 'model',
  group: 'group',
  groups: 'group',
  tasks: 'task',
  drawings: 'drawing',
};

/** What the value of a flag may be. */
export function sourceOfFlag(flag: Option, command: Command): CompletionSource {
  if (flag.argChoices) return wordsOf(flag.argChoices);
  if (/<(path|file|folder)>/.test(flag.flags)) return 'file';
  const name = flag.long?.slice(2) ?? '';
  const noun = nounOf(command);
  if (name === 'type') return typesOf(noun);
  if (name === 'status') return wordsOf(statusWords[noun] ?? []);
  if (name === 'role') return wordsOf(['user', 'admin', 'root']);
  if (name === 'language') return wordsOf(['zh', 'en']);
  if (name === 'log-level') return wordsOf(['debug', 'info', 'warn', 'error', 'silent']);
  if (name === 'log-format') return wordsOf(['json', 'pretty']);
  return kindOf(name);
}

/** What an argument may be; `-` for the list on standard input is left to those who know it. */
export function sourceOfArgument(argument: Argument, command: Command, language: 'zh' | 'en'): CompletionSource {
  if (argument.argChoices) return wordsOf(argument.argChoices);
  const name = argument.name();
  const noun = nounOf(command);
  if (/^(path|file|folder)s?$/.test(name)) return 'file';
  if (noun === 'option' && /^keys?$/.test(name)) {
    return { words: optionKeys.map((key) => ({ value: key, description: optionText(language, key).label })) };
  }
  if (/^(ids?|names?)$/.test(name)) return kindOf(noun);
  return kindOf(name);
}

/** The noun of a verb: `channel` for `tollgate channel list`, `init` for `tollgate init`. */
function nounOf(command: Command): string {
  let noun = command;
  while (noun.parent?.parent) noun = noun.parent;
  return noun.name();
}

function typesOf(noun: string): CompletionSource {
  if (noun === 'log') return wordsOf(['top-up', 'consume', 'manage', 'system', 'error', 'test']);
  if (noun !== 'channel' && noun !== 'init') return 'none';
  return { words: channelTypes.map(({ name, label }) => ({ value: name, description: label })) };
}

function kindOf(word: string): CompletionSource {
  const names = namesByWord[word];
  return names ? { names } : 'none';
}

const wordsOf = (values: readonly string[]): CompletionSource => ({ words: values.map((value) => ({ value })) });
