import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take longer than their size tells, the longest first; the order is what counts, a wrong place costs time and nothing else. */
const long = [
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
  'core/http/route-matrix',
  'core/billing/ledger-process',
  'core/faults/change-seen',
  'docs/commands',
  'docs/script',
  'cli/serve',
  'dashboard/outside-sign-in',
  'dashboard/public-page',
  'dashboard/polling',
  'core/relay/charge',
  'core/faults/canary',
  'core/relay/realtime-limit',
  'core/billing/ledger',
  'core/relay/upstream-answer',
  'core/relay/failover',
  'core/jobs/scheduler',
  'core/jobs/job-list',
  'core/billing/ledger-model',
  'core/http/outside-sign-in',
];

/** On a fresh checkout nothing is known about the last run; a long file that begins late would run alone at the end. */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const bySize = await super.sort(files);
    const place = (file: TestSpecification) => {
      const known = long.indexOf(this.nameOf(file));
      return known < 0 ? long.length : known;
    };
    return bySize.sort((one, other) => place(one) - place(other));
  }

  private nameOf({ moduleId }: TestSpecification): string {
    return moduleId.replace(/^.*?\/tests\//, '').replace(/\.test\.tsx?$/, '');
  }
}
