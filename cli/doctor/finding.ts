import type { Column } from '../output.ts';
import type { Color } from '../print/table.ts';
import type { Speak } from '../text.ts';

/** One line of a check: what was looked at, how it is, and what to do when it is not well. */
export interface Finding {
  check: string;
  status: 'ok' | 'warn' | 'fail';
  message: string;
}

export const finding = (check: string, status: Finding['status'], message: string): Finding => ({
  check,
  status,
  message,
});

const colors: Record<Finding['status'], Color> = { ok: 'green', warn: 'yellow', fail: 'red' };

export const findingColumns = (speak: Speak): Column<Finding>[] => [
  {
    title: '',
    value: ({ status }) => speak(`doctor.${status}`),
    color: ({ status }) => colors[status],
    keep: true,
  },
  // The last words are the ones that help, so nothing is cut.
  { title: '', value: ({ message }) => message, whole: true },
];
