import { AppError } from '../../errors/app-error.ts';
import type { ClientWriter } from '../../relay/deliver/client-writer.ts';
import type { FreeCall } from '../../relay/free-call/free-call.ts';
import { role } from '../../schemas/actor.ts';
import { isFinal } from '../../schemas/task-status.ts';
import type { TaskCancelService } from '../../services/task/cancel.ts';
import { reasonIn } from '../../services/task/reason.ts';
import type { OwnedTask, TaskStore } from '../../services/task/store.ts';
import { videoTask } from '../../wire/openai-video/index.ts';
import { createTaskDoor, type TaskDoorDependencies } from '../relay/task-door.ts';
import type { RawRoute } from '../route.ts';

export interface VideoRouteDependencies extends TaskDoorDependencies {
  tasks: Pick<TaskStore, 'owned' | 'page' | 'hide'>;
  /** Has a job under way stopped by its vendor, and paid back. */
  cancel: TaskCancelService['cancel'];
  videos: {
    show(task: OwnedTask, variant: string, client: ClientWriter, range?: string): Promise<void>;
    remove(task: OwnedTask): Promise<void>;
  };
}

const defaultLimit = 20;
const maxLimit = 100;
const { platform } = videoTask;
const endedOrUnstoppable: readonly string[] = ['task.alreadyOver', 'task.cancelNotOffered', 'task.providerGone'];

/** OpenAI's `/v1/videos`: made for money, looked at for nothing. */
export function videoRoutes(dependencies: VideoRouteDependencies): RawRoute[] {
  const { tasks, videos, cancel } = dependencies;
  const { submit, serve } = createTaskDoor(dependencies);

  const unknown = (id: string, param?: string) =>
    new AppError('task.videoUnknown', { id: id.slice(0, 64) }, param ? { param } : {});

  async function own({ caller }: FreeCall, id = ''): Promise<OwnedTask> {
    const [task] = await tasks.owned(caller.userId, platform, [id]);
    if (!task) throw unknown(id);
    return task;
  }

  async function list({ caller, query, language }: FreeCall) {
    const asked = Number(query.get('limit') ?? defaultLimit);
    if (!Number.isInteger(asked) || asked < 1) {
      throw new AppError('request.notInteger', { field: 'limit', minimum: 1, maximum: maxLimit }, { param: 'limit' });
    }
    const limit = Math.min(asked, maxLimit);
    const after = query.get('after') ?? '';
    const found = await tasks.page(caller.userId, platform, { limit, after, isOldest: query.get('order') === 'asc' });
    if (!found) throw unknown(after, 'after');
    const data = found.slice(0, limit).map((task) => videoTask.write(reasonIn(language, task)));
    const ids = { first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null };
    return { object: 'list', data, ...ids, has_more: found.length > limit };
  }

  async function remove(call: FreeCall, id: string) {
    const task = await own(call, id);
    if (isFinal(task.status) || !(await isStopped(call, id))) await videos.remove(task);
    await tasks.hide(call.caller.userId, platform, id);
    return { id, object: 'video.deleted', deleted: true };
  }

  /** Deleted while it is made, it would be paid until nothing had been heard of it for a day. */
  async function isStopped({ caller }: FreeCall, id: string): Promise<boolean> {
    const { userId, username: name } = caller;
    try {
      await cancel({ id: userId, name, role: role.user, address: '' }, 'task', id);
      return true;
    } catch (error) {
      // It has ended meanwhile, or goes on unseen at a vendor that stops none.
      if (error instanceof AppError && endedOrUnstoppable.includes(error.code)) return false;
      throw error;
    }
  }

  const route = (method: RawRoute['method'], path: string, serveIt: RawRoute['serve']): RawRoute => ({
    method,
    path: `/v1/videos${path}`,
    access: 'key',
    serve: serveIt,
  });
  return [
    route('POST', '', (exchange) => submit(exchange, { kind: videoTask, action: 'create' })),
    route('GET', '', (exchange) => serve(exchange, list)),
    route('GET', '/:id', (exchange) =>
      serve(exchange, async (call) => videoTask.write(reasonIn(call.language, await own(call, exchange.params.id)))),
    ),
    route('GET', '/:id/content', (exchange) =>
      serve(exchange, async (call, client) =>
        videos.show(
          await own(call, exchange.params.id),
          call.query.get('variant') ?? '',
          client,
          exchange.incoming.headers.range,
        ),
      ),
    ),
    route('DELETE', '/:id', (exchange) => {
      // A body means nothing here, and would be taken for the next call.
      exchange.incoming.resume();
      return serve(exchange, (call) => remove(call, exchange.params.id ?? ''));
    }),
  ];
}
