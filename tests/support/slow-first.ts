import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take longer than their size tells, the longest first; the order is what counts, a wrong place costs time and nothing else. */
export const slowFiles = [
  'core/faults/task-kill-point',
  'core/providers/vendor-matrix',
  'core/http/route-matrix',
  'core/faults/process',
  'cluster/fault',
  'cluster/upgrade',
  'dashboard/channel',
  'core/faults/kill-loop',
  'cluster/kill-loop',
  'core/faults/postgres',
  'dashboard/state',
  'dashboard/setting',
  'core/billing/ledger-fault',
  'core/faults/stop-signal',
  'core/faults/sqlite',
  'cluster/failover',
  'cluster/pooler',
  'core/billing/ledger-process',
  'core/faults/sqlite-file',
  'dashboard/job',
  'dashboard/session',
  'dashboard/polling',
  'dashboard/outside-sign-in',
  'cli/serve',
  'cli/tui/channel',
  'dashboard/log',
  'core/relay/rescue/every-fault',
  'cli/contract/bad-input',
  'dashboard/user',
  'docs/commands',
  'dashboard/docs',
  'core/relay/meter/charge',
  'dashboard/personal',
  'core/relay/task/cancel',
  'core/services/task/notice',
  'dashboard/size',
  'core/services/sign-in/session',
  'core/relay/deliver/upstream-response',
  'dashboard/overview',
  'core/faults/memory',
  'dashboard/public-page',
  'core/relay/task/midjourney',
  'core/faults/migration',
  'dashboard/work-list',
  'dashboard/token',
  'core/faults/canary',
  'core/relay/realtime/limit',
  'core/faults/change-seen',
  'core/relay/task/foreign-task',
];

/** On a fresh checkout nothing is known about the last run; a long file that begins late would run alone at the end. */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const bySize = await super.sort(files);
    const place = (file: TestSpecification) => {
      const known = slowFiles.indexOf(this.nameOf(file));
      return known < 0 ? slowFiles.length : known;
    };
    return bySize.sort((one, other) => place(one) - place(other));
  }

  private nameOf({ moduleId }: TestSpecification): string {
    return moduleId.replace(/^.*?\/tests\//, '').replace(/\.test\.tsx?$/, '');
  }
}
