import type { RehearsalGap, RehearsalReport } from '../../schemas/price-rehearsal.ts';

const listLimit = 500;

interface RehearsedCall {
  user_id: number;
  username: string;
  model_name: string;
  quota: number;
}

type Sums = RehearsalReport['total'];

const noSums = (): Sums => ({ calls: 0, old_quota: 0, new_quota: 0 });

/** Adds up a rehearsal, so that its size is that of the models and users in it, not of its requests. */
export function createRehearsalSums() {
  const total = noSums();
  const models = new Map<string, RehearsalReport['models'][number]>();
  const users = new Map<number, RehearsalReport['users'][number]>();
  const skipped = new Map<string, RehearsalReport['skipped'][number]>();
  let skippedCalls = 0;
  let refundedCalls = 0;

  return {
    add({ user_id, username, model_name: model, quota }: RehearsedCall, newQuota: number): void {
      const ofModel = entryOf(models, model, () => ({ model, ...noSums() }));
      // The newest row comes first, with the name the user has now.
      const ofUser = entryOf(users, user_id, () => ({ user_id, username, ...noSums() }));
      for (const sums of [total, ofModel, ofUser]) {
        sums.calls++;
        sums.old_quota += quota;
        sums.new_quota += newQuota;
      }
    },
    skip({ model_name: model, quota }: RehearsedCall, reason: RehearsalGap): void {
      const entry = entryOf(skipped, `${reason}\n${model}`, () => ({ reason, model, calls: 0, quota: 0 }));
      entry.calls++;
      entry.quota += quota;
      skippedCalls++;
    },
    leaveOutRefunded(): void {
      refundedCalls++;
    },
    report: () => ({
      total,
      models: byDifference(models),
      users: byDifference(users),
      model_count: models.size,
      user_count: users.size,
      skipped: [...skipped.values()].sort((a, b) => b.quota - a.quota || b.calls - a.calls).slice(0, listLimit),
      skipped_calls: skippedCalls,
      refunded_calls: refundedCalls,
    }),
  };
}

function entryOf<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known) return known;
  const made = make();
  map.set(key, made);
  return made;
}

function byDifference<T extends Sums>(sums: ReadonlyMap<unknown, T>): T[] {
  const difference = ({ old_quota, new_quota }: Sums) => Math.abs(new_quota - old_quota);
  return [...sums.values()]
    .sort((a, b) => difference(b) - difference(a) || b.old_quota - a.old_quota)
    .slice(0, listLimit);
}
