import { AppError } from '../../core/errors/app-error.ts';
import { coded } from '../../core/text/coded.ts';
import type { Host } from '../host.ts';
import type { Output } from '../output.ts';
import { isNo, isYes } from '../text.ts';
import {
  afterKey,
  type Choice,
  type ChooseKey,
  chooseFrame,
  chosenLine,
  keyOf,
  makeRoom,
  matching,
  splitKeys,
} from './choose.ts';

/** What a command may ask of the person in front of it. */
export interface Input {
  /** False without a terminal or with --no-input: nothing may be asked. */
  readonly interactive: boolean;
  ask(question: string): Promise<string>;
  /** Shows a mark for each character; pasted text comes through whole. */
  askHidden(question: string): Promise<string>;
  /** Anything but a yes is a no; with `defaultValue`, anything but a no is a yes. */
  confirm(question: string, defaultValue?: 'yes'): Promise<boolean>;
  /** One of a list that is narrowed by typing. `none` is said where nothing matches. */
  choose<T>(question: string, choices: Choice<T>[], none: string): Promise<T>;
  /** Standard input to its end, without the last line feed. */
  readAll(): Promise<string>;
}

export interface InputOptions {
  stdin: Host['stdin'];
  output: Pick<Output, 'prompt'>;
  interactive: boolean;
  /** The terminal can move its cursor; where it cannot, a list is asked for by name. */
  cursor: boolean;
}

/** Keys and lists of ids are small; what is larger was piped here by mistake. */
const maxCharacters = 1_048_576;
const controlC = '\u0003';
const controlD = '\u0004';
const backspaces = ['\u0008', '\u007f'];

/**
 * Not @clack/core (1.6): it waits forever once the input has ended, loses the lines pasted behind the one that was asked for, and
 * takes Enter for an answer where nothing matches.
 */
export function createInput({ stdin, output, interactive, cursor }: InputOptions): Input {
  // Lines that were pasted together with the one that was asked for.
  let pending = '';
  let isEnded = false;

  async function ask(question: string): Promise<string> {
    output.prompt(`${question} `);
    while (!pending.includes('\n')) {
      const chunk = await nextChunk(stdin);
      isEnded = chunk === undefined;
      if (chunk === undefined) break;
      pending += chunk;
    }
    const [first = '', ...rest] = pending.split('\n');
    pending = rest.join('\n');
    return first.trim();
  }

  async function askHidden(question: string): Promise<string> {
    output.prompt(`${question} `);
    stdin.setRawMode?.(true);
    try {
      return (await readHidden()).trim();
    } finally {
      stdin.setRawMode?.(false);
      output.prompt('\n');
    }
  }

  async function readHidden(): Promise<string> {
    let text = '';
    for (;;) {
      const chunk = pending || (await nextChunk(stdin));
      pending = '';
      if (chunk === undefined) return text;
      const characters = splitKeys(chunk);
      for (const [index, character] of characters.entries()) {
        if (character === controlC) throw new AppError('cli.interrupted');
        if (character === '\r' || character === '\n' || character === controlD) {
          pending = characters.slice(index + 1).join('');
          return text;
        }
        // An arrow or another key that stands for no character would be a part of the secret that is never seen.
        if (character.startsWith('\u001b')) continue;
        if (backspaces.includes(character)) {
          if (text) output.prompt('\b \b');
          text = [...text].slice(0, -1).join('');
        } else {
          text += character;
          output.prompt('•');
        }
      }
    }
  }

  async function chooseByName<T>(question: string, choices: Choice<T>[], none: string): Promise<T> {
    for (;;) {
      const answer = await ask(question);
      // There will be no more answers, as after Ctrl-C; nothing typed is not the first choice then.
      if (isEnded && answer === '') throw new AppError('cli.interrupted');
      const [found] = matching(choices, answer);
      if (found) return found.value;
      output.prompt(`  ${none}\n`);
    }
  }

  async function choose<T>(question: string, choices: Choice<T>[], none: string): Promise<T> {
    if (!cursor) return chooseByName(question, choices, none);
    let state = { filter: '', at: 0 };
    stdin.setRawMode?.(true);
    output.prompt(makeRoom);
    try {
      for (;;) {
        const found = matching(choices, state.filter);
        output.prompt(chooseFrame(question, state, found, none));
        const key = await nextKey();
        if (key === 'interrupt') throw new AppError('cli.interrupted');
        const chosen = key === 'enter' ? found[state.at] : undefined;
        if (chosen) {
          output.prompt(chosenLine(question, chosen.label));
          return chosen.value;
        }
        // What matched nothing is typed again.
        state = key === 'enter' ? { filter: '', at: 0 } : afterKey(state, key, found.length);
      }
    } finally {
      stdin.setRawMode?.(false);
    }
  }

  /** The end of the input counts as Ctrl-C: there will be no more answers. */
  async function nextKey(): Promise<ChooseKey> {
    for (;;) {
      const chunk = pending || (await nextChunk(stdin));
      if (chunk === undefined) return 'interrupt';
      const [first = '', ...rest] = splitKeys(chunk);
      pending = rest.join('');
      const key = keyOf(first);
      if (key) return key;
    }
  }

  return {
    interactive,
    ask,
    askHidden,
    choose,
    async confirm(question, defaultValue) {
      const answer = await ask(`${question} (${defaultValue ? 'Y/n' : 'y/N'})`);
      return defaultValue ? !isNo(answer) : isYes(answer);
    },
    async readAll() {
      let text = pending;
      pending = '';
      for (let chunk = await nextChunk(stdin); chunk !== undefined; chunk = await nextChunk(stdin)) {
        text += chunk;
        if (text.length > maxCharacters) throw new AppError('input.invalid', { reason: coded('input.tooMuch') });
      }
      if (text.includes('\0')) throw new AppError('input.invalid', { reason: coded('input.noNul') });
      return text.replace(/\r?\n$/, '');
    },
  };
}

/** Undefined at the end. The stream is paused again, so that an open terminal does not keep the process alive. */
function nextChunk(stdin: Host['stdin']): Promise<string | undefined> {
  const stream = stdin as Host['stdin'] & { readableEnded?: boolean; destroyed?: boolean };
  if (stream.readableEnded || stream.destroyed) return Promise.resolve(undefined);
  stdin.setEncoding('utf8');
  return new Promise((resolve, reject) => {
    const settle = (work: () => void) => {
      stdin.off('data', onData).off('end', onEnd).off('close', onEnd).off('error', onError);
      stdin.pause();
      work();
    };
    const onData = (chunk: string) => settle(() => resolve(chunk));
    const onEnd = () => settle(() => resolve(undefined));
    const onError = (error: Error) => settle(() => reject(error));
    stdin.on('data', onData).on('end', onEnd).on('close', onEnd).on('error', onError);
    stdin.resume();
  });
}
