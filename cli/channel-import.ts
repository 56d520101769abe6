import type { App } from '../core/app.ts';
import { AppError } from '../core/errors/app-error.ts';
import { systemActor } from '../core/schemas/actor.ts';
import type { ChannelEntry, DocumentProblem } from '../core/schemas/channel-document.ts';
import type { ImportStep } from '../core/services/channel/transfer.ts';
import type { Context } from './context.ts';

interface StepFlags {
  update?: boolean;
  keepKey?: boolean;
}

/** What the installation itself refuses. */
export function refusalsOf({ channels }: App['services'], entry: ChannelEntry, isNew: boolean): DocumentProblem[] {
  try {
    channels.checkImport(entry, isNew);
    return [];
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return [{ place: entry.place, field: '', reason: error.coded }];
  }
}

/** Creates the channel, changes it, or leaves it as it is. */
export async function runStep({ speak }: Context, app: App, step: ImportStep, flags: StepFlags) {
  const { id, changed, entry } = step;
  const details = { name: entry.values.name, fields: changed.join(', ') };
  const isKept = id !== undefined && (changed.length === 0 || !flags.update);
  if (isKept) {
    const result = changed.length > 0 ? 'kept' : 'unchanged';
    const message = speak(changed.length > 0 ? 'channel.importKept' : 'channel.importUnchanged', { ...details, id });
    return { message, data: { id, name: details.name, result, fields: changed } };
  }
  const options = { keepKey: flags.keepKey ?? false };
  const channel = await app.services.channels.applyImport(systemActor, step, options);
  const result = id === undefined ? 'created' : 'updated';
  const message = speak(id === undefined ? 'channel.created' : 'channel.importUpdated', { ...details, id: channel.id });
  return { message, data: { id: channel.id, name: channel.name, result, fields: changed } };
}
