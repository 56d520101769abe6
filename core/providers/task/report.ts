import { storableText } from '../../lib/storable-text.ts';
import { isFinal } from '../../schemas/task-status.ts';
import type { TaskReport } from './adapter.ts';

const maxReason = 2000;
const maxProgress = 20;
/** Far beyond any year that a clock may say. */
const maxSeconds = 2 ** 40;

/**
 * What one response says of each job, fit to be stored, by the vendor's id. Where it says two things of a job and one of them is an end,
 * it says nothing: money must not hang on which came last, and the job is asked about again.
 */
export function reportsById(reports: readonly TaskReport[]): ReadonlyMap<string, TaskReport> {
  const found = new Map<string, TaskReport>();
  const doubtful = new Set<string>();
  for (const report of reports) {
    const { taskId, status } = report;
    const earlier = found.get(taskId);
    if (earlier && earlier.status !== status && (isFinal(earlier.status) || isFinal(status))) doubtful.add(taskId);
    found.set(taskId, storable(report));
  }
  for (const taskId of doubtful) found.delete(taskId);
  return found;
}

function storable(report: TaskReport): TaskReport {
  return {
    ...report,
    progress: storableText(report.progress).slice(0, maxProgress),
    failReason: storableText(report.failReason.slice(0, maxReason)),
    startTime: seconds(report.startTime),
    finishTime: seconds(report.finishTime),
  };
}

function seconds(value: number): number {
  return value <= maxSeconds ? value : 0;
}
