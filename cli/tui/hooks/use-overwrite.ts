import { AppError } from '../../../core/errors/app-error.ts';
import type { LoadedValues } from '../../../core/schemas/loaded.ts';
import { useEnvironment } from '../environment.ts';
import { useStatus } from './use-status.tsx';

type Save<I, T> = (input: I & { loaded: LoadedValues }) => Promise<T>;

/** Saves a form. What another user changed in the same fields since it was opened is overwritten only after a question. */
export function useOverwrite() {
  const { speak } = useEnvironment();
  const { ask } = useStatus();
  return async <I extends object, T>(save: Save<I, T>, input: I, opened: object): Promise<T> => {
    const fields = Object.entries(opened).filter(([name]) => Object.hasOwn(input, name) && name !== 'id');
    try {
      return await save({ ...input, loaded: Object.fromEntries(fields) });
    } catch (error) {
      const isStale = error instanceof AppError && error.code === 'object.stale';
      if (!isStale || !(await ask(speak('tui.askStale', { fields: String(error.details.fields) })))) throw error;
      return save({ ...input, loaded: undefined });
    }
  };
}
