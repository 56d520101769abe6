import type { Command } from 'commander';
import { AppError } from '../../core/errors/app-error.ts';
import type { Context } from '../context.ts';
import { usage } from './selection.ts';

/** `--if-missing`: a set-up that runs again makes nothing twice. */
export function addIfMissing(command: Command, { speak }: Context): Command {
  return command.option('--if-missing', speak('flag.ifMissing'));
}

interface Wanted {
  ifMissing?: boolean | undefined;
  name: string;
  command: Command;
  /** Fails when no row or several rows have this name. */
  find(): Promise<object>;
}

/** Whether a thing of this name is there already and stays as it is; says so. */
export async function isThere(context: Context, { ifMissing, name, command, find }: Wanted): Promise<boolean> {
  if (!ifMissing) return false;
  const { output, speak } = context;
  // A number would be taken for an id.
  if (/^\d+$/.test(name)) throw usage(command, speak('usage.ifMissingNumber'));
  try {
    const found = await find();
    if (output.json) output.details(found);
    else output.say(speak('create.kept', { name }));
    return true;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === 'object.notFound') return false;
    if (error.code !== 'channel.nameAmbiguous' && error.code !== 'cli.ambiguousName') throw error;
    output.done(speak('create.kept', { name }));
    return true;
  }
}
