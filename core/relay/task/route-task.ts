import type { TaskJob } from '../../canonical/task-job.ts';
import { AppError } from '../../errors/app-error.ts';
import { recordsOf, textOf } from '../../lib/json-value.ts';
import { taskAdapterFor } from '../../providers/task/registry.ts';
import { taskStatus } from '../../schemas/task-status.ts';
import type { Caller } from '../../services/caller.ts';
import { type RoutedChannel, type Tiers, withKey } from '../../services/routing.ts';
import type { OwnedTask, TaskStore } from '../../services/task/store.ts';
import type { TaskKind } from '../../wire/task-kind.ts';
import { admit } from '../admit.ts';
import { type AttemptPlan, planOf } from '../attempt/attempt-plan.ts';
import type { RelayDependencies } from '../run.ts';

type RouteDependencies = Pick<RelayDependencies, 'routing' | 'options' | 'pricing' | 'speeds'> & {
  tasks: Pick<TaskStore, 'owned'>;
};

interface RoutedTask {
  caller: Caller;
  kind: TaskKind;
}

/** Where a job may go: what goes on from an earlier one goes to that one's channel, and to no other. */
export async function routeTask(
  call: RoutedTask,
  job: TaskJob,
  dependencies: RouteDependencies,
): Promise<{ job: TaskJob; plan: AttemptPlan }> {
  const { caller } = call;
  const { tiers, pinned } = admit(caller, job.model, dependencies.routing);
  const earlier = job.follows === undefined ? undefined : await earlierTask(call, job.follows, job, dependencies);
  const ofPlatform = ({ type }: RoutedChannel) => taskAdapterFor(type)?.platform === call.kind.platform;
  const way = earlier?.tiers ?? tiers.map((tier) => tier.filter(ofPlatform));
  if (way.every(({ length }) => length === 0))
    throw new AppError('relay.unknownModel', { model: job.model, group: caller.group, near: '' }, { param: 'model' });
  const plan = planOf(
    { tiers: way, pinned: pinned || earlier !== undefined, group: caller.group, model: job.model },
    dependencies,
  );
  return { job: { ...job, input: job.input || (earlier?.input ?? '') }, plan };
}

/** Of the caller's own job; another's is as unknown as one that never was. */
async function earlierTask(
  { caller, kind }: RoutedTask,
  taskId: string,
  { followsSuccess, followsClip }: TaskJob,
  { routing, tasks }: RouteDependencies,
): Promise<{ tiers: Tiers; input: string }> {
  const id = taskId.slice(0, 64);
  const [earlier] = await tasks.owned(caller.userId, kind.platform, [taskId]);
  if (!earlier) throw new AppError('task.notFound', { id }, { param: 'task_id' });
  if (followsSuccess && earlier.status !== taskStatus.success) {
    throw new AppError('task.notFinished', { id }, { param: 'taskId' });
  }
  if (followsClip !== undefined) requireClip(earlier, followsClip);
  const found = routing.channel(earlier.channelId);
  // One that became a channel of another type cannot go on from it.
  const isServed = found?.enabled && taskAdapterFor(found.channel.type)?.platform === kind.platform;
  if (!isServed) throw new AppError('task.channelDisabled', { id }, { param: 'task_id' });
  return { tiers: [[withKey(found.channel, earlier.channelKey)]], input: earlier.input };
}

/** A clip of another job may be another user's. Jobs whose clips are not told are taken at their word, once they are done. */
function requireClip({ task_id, action, status, data }: OwnedTask, clip: string): void {
  const id = task_id.slice(0, 64);
  const clips = recordsOf(data)
    .map((one) => textOf(one.id))
    .filter(Boolean);
  if (clips.includes(clip)) return;
  if (clips.length > 0 || action !== 'MUSIC')
    throw new AppError('task.clipUnknown', { id, clip: clip.slice(0, 64) }, { param: 'continue_clip_id' });
  if (status !== taskStatus.success) throw new AppError('task.notFinished', { id }, { param: 'task_id' });
}
