import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take longer than their size tells, the longest first; the order is what counts, a wrong place costs time and nothing else. */
export const slowFiles = [
  'core/faults/postgres',
  'dashboard/state',
  'core/billing/ledger-fault',
  'dashboard/setting',
  'core/faults/sqlite',
  'core/faults/process',
  'dashboard/channel',
  'core/faults/kill-loop',
  'core/faults/stop-signal',
  'dashboard/session',
  'dashboard/outside-sign-in',
  'dashboard/job',
  'core/http/route-matrix',
  'core/billing/ledger-process',
  'core/faults/change-seen',
  'dashboard/user',
  'dashboard/personal',
  'dashboard/work-list',
  'dashboard/token',
  'docs/commands',
  'docs/script',
  'cli/serve',
  'dashboard/public-page',
  'dashboard/polling',
  'core/relay/meter/charge',
  'core/faults/canary',
  'core/relay/realtime/limit',
  'core/billing/ledger',
  'core/relay/task/upstream-fault',
  'core/relay/attempt/failover',
  'core/jobs/scheduler',
  'core/services/task/notice',
  'core/providers/vendor-matrix',
  'core/jobs/job-list',
  'core/billing/ledger-model',
  'core/http/outside-sign-in',
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
