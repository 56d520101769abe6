import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { AppError } from '../../core/errors/app-error.ts';
import { unreadableFile } from '../../core/errors/unreadable-file.ts';
import { coded } from '../../core/text/coded.ts';
import type { Context } from '../context.ts';

export interface SecretSource {
  stdin: boolean | undefined;
  file: string | undefined;
}

/** `--key-stdin` and `--key-file`; `--key VALUE` is known only to be refused. */
export function addSecretFlags(command: Command, name: string, { speak }: Context, isFileToo = true): Command {
  const stdinFlag = `--${name}-stdin`;
  const fileFlag = `--${name}-file`;
  const instead = isFileToo ? `${stdinFlag}, ${fileFlag}` : stdinFlag;
  const refused = command.createOption(`--${name} <value>`).hideHelp();
  command.option(stdinFlag, speak(name === 'password' ? 'flag.password' : 'flag.keyStdin'));
  if (isFileToo) command.option(`${fileFlag} <path>`, speak('flag.keyFile'));
  return command.addOption(
    refused.argParser(() => {
      throw new AppError('cli.secretInWords', { flag: `--${name}`, instead });
    }),
  );
}

/** The secret from where the flags say it is; undefined when they name no place. */
export async function readSecret({ input }: Context, { stdin, file }: SecretSource): Promise<string | undefined> {
  if (stdin && file !== undefined) {
    throw new AppError('input.invalid', { reason: coded('input.twoSecrets') });
  }
  if (file !== undefined) return (await readTextFile(file)).replace(/\r?\n$/, '');
  return stdin ? input.readAll() : undefined;
}

/** A channel's key, from the person in front of it. */
export async function askKey({ input, speak }: Context): Promise<string> {
  if (!input.interactive) {
    throw new AppError('cli.answerNeeded', { what: speak('init.keyWord'), flag: '--key-stdin, --key-file' });
  }
  return input.askHidden(speak('init.askKey'));
}

export async function readTextFile(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw unreadableFile(path, error);
  }
}
