import { taskStatuses } from '../../../../core/schemas/task.ts';
import type { Speak } from '../../../text.ts';

/** The state of a task in words; what no version of ours knows stays as it is. */
export function statusText(status: string, speak: Speak): string {
  const known = taskStatuses.find((name) => name === status);
  return known ? speak(`tui.task.state.${known}`) : status || '-';
}

/** The state that a filter names, by the word on the screen or by its name in the API. */
export function statusNamed(text: string, speak: Speak): string {
  const wanted = plain(text);
  const named = (status: string) => [status, statusText(status, speak)].map(plain).includes(wanted);
  return taskStatuses.find(named) ?? text.toUpperCase();
}

/** A filter has no blanks: `in-progress` and `in_progress` are `in progress`. */
const plain = (text: string) => text.toLowerCase().replace(/[\s_-]/g, '');
