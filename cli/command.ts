import { type Argument, Command, type HelpContext, InvalidArgumentError, type Option } from 'commander';
import { AppError } from '../core/errors/app-error.ts';
import { verbAliases } from './alias.ts';
import { nearWords } from './near-word.ts';
import type { Sentence, Speak } from './text.ts';

const maxShown = 40;

/** A command that says what is wrong with its words in the language of the reader: the library's own sentences are English only. */
export class SpokenCommand extends Command {
  readonly #speak: Speak;

  constructor(name: string | undefined, speak: Speak) {
    super(name);
    this.#speak = speak;
  }

  override createCommand(name?: string): SpokenCommand {
    return new SpokenCommand(name, this.#speak);
  }

  // The library calls these when it is about to end the command with a sentence of its own.

  missingArgument(name: string): never {
    return this.#refuse('usage.missingArgument', { name });
  }

  optionMissingArgument({ flags }: Option): never {
    return this.#refuse('usage.optionMissingArgument', { name: flags });
  }

  missingMandatoryOptionValue({ flags }: Option): never {
    return this.#refuse('usage.missingOption', { name: flags });
  }

  _conflictingOption({ flags }: Option, other: Option): never {
    return this.#refuse('usage.conflictingOption', { name: flags, other: other.flags });
  }

  _excessArguments(): never {
    return this.#refuse('usage.excess');
  }

  unknownOption(flag: string): never {
    const flags: string[] = [];
    for (let command: Command | null = this; command; command = command.parent)
      flags.push(
        ...command
          .createHelp()
          .visibleOptions(command)
          .flatMap(({ long }) => long ?? []),
      );
    return this.#refuse('usage.unknownOption', { name: flag }, flag.startsWith('--') ? this.#near(flag, flags) : '');
  }

  unknownCommand(name = this.args[0] ?? ''): never {
    const names = this.createHelp()
      .visibleCommands(this)
      .map((command) => command.name());
    throw new AppError('cli.unknownCommand', { name, near: this.#near(name, names), command: this.#path() });
  }

  override help(context?: HelpContext): never;
  override help(change: (text: string) => string): never;
  override help(context?: HelpContext | ((text: string) => string)): never {
    if (typeof context === 'function') return super.help(context);
    // Nothing asked for it: a command is missing, and a script that wants JSON must not read anything else.
    if (context?.error && this.optsWithGlobals().json) this.#refuse('usage.missingArgument', { name: 'command' });
    return super.help(context);
  }

  /** `help channel list` is about that command; the library knows the first word only, and shows the help of all for a wrong one. */
  _dispatchHelpCommand(): never {
    let command: Command = this;
    for (const word of this.args.slice(1)) {
      const { commands } = command;
      if (commands.length === 0) break;
      const name = command === this ? word : (verbAliases[word] ?? word);
      const next = commands.find((candidate) => candidate.name() === name);
      if (next) command = next;
      else if (command instanceof SpokenCommand) command.#refuseWord(word);
    }
    return command.help();
  }

  #refuseWord(word: string): never {
    return word.startsWith('-') ? this.unknownOption(word) : this.unknownCommand(word);
  }

  _callParseArg(target: Option | Argument, value: string, previous: unknown): unknown {
    try {
      return target.parseArg?.(value, previous as never);
    } catch (error) {
      if (!(error instanceof InvalidArgumentError)) throw error;
      const { argChoices: choices } = target;
      const allowed = choices ? this.#speak('usage.choices', { choices: choices.join(', ') }) : error.message;
      const name = 'flags' in target ? target.flags : `<${target.name()}>`;
      return this.#refuse('usage.invalidValue', { name, value: value.slice(0, maxShown), allowed });
    }
  }

  #refuse(sentence: Sentence, details: Record<string, string> = {}, behind = ''): never {
    throw new AppError('cli.usage', { reason: this.#speak(sentence, details) + behind, command: this.#path() });
  }

  /** The command whose help lists what was wrong: `tollgate channel update`. */
  #path(): string {
    const names: string[] = [];
    for (let command: Command | null = this; command; command = command.parent) names.unshift(command.name());
    return names.join(' ');
  }

  #near(word: string, words: readonly string[]): string {
    const near = nearWords(word, words);
    return near.length === 0 ? '' : this.#speak('usage.near', { near: near.join(', ') });
  }
}
