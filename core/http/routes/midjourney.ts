import type { IncomingMessage } from 'node:http';
import { AppError } from '../../errors/app-error.ts';
import { ClientWriter } from '../../relay/deliver/client-writer.ts';
import type { FreeCall } from '../../relay/free-call/free-call.ts';
import type { TaskFiles } from '../../relay/task/task-file.ts';
import type { DrawingLinks } from '../../services/task/drawing-link.ts';
import { reasonIn } from '../../services/task/reason.ts';
import type { TaskStore } from '../../services/task/store.ts';
import { midjourneyTask } from '../../wire/midjourney/index.ts';
import { submitPaths } from '../../wire/midjourney/read-request.ts';
import type { KnownTask } from '../../wire/task-kind.ts';
import { openRelayCall, sendRelayError } from '../relay/relay-call.ts';
import { createTaskDoor, type NewJob, type TaskDoorDependencies } from '../relay/task-door.ts';
import { queryOf } from '../request-path.ts';
import type { RawExchange, RawRoute } from '../route.ts';

export interface MidjourneyRouteDependencies extends TaskDoorDependencies {
  tasks: Pick<TaskStore, 'owned' | 'pictureOf'>;
  links: Pick<DrawingLinks, 'forCaller' | 'ownerOf'>;
  files: Pick<TaskFiles, 'showPicture'>;
  /** Looks at a job now instead of when its turn comes. */
  look(task: { taskId: string; userId: number }): Promise<void>;
  imageSeed(
    call: FreeCall,
    task: KnownTask & { channelId: number; channelKey: number },
    client: ClientWriter,
  ): Promise<void>;
}

const maxIds = 500;
const { platform } = midjourneyTask;

/** Midjourney's jobs, under `/mj` and under a mode such as `/mj-fast/mj`. */
export function midjourneyRoutes(dependencies: MidjourneyRouteDependencies): RawRoute[] {
  const { tasks, links, files, look, imageSeed } = dependencies;
  const { submit, serve, readJson } = createTaskDoor(dependencies);

  async function own(userId: number, id: string) {
    const [task] = await tasks.owned(userId, platform, [id]);
    if (!task) throw new AppError('task.notFound', { id: id.slice(0, 64) });
    return task;
  }

  function shown({ caller: { userId }, language }: FreeCall, task: KnownTask): Record<string, unknown> {
    const written = midjourneyTask.write(reasonIn(language, task));
    return { ...written, imageUrl: links.forCaller({ userId, taskId: task.task_id }, String(written.imageUrl)) };
  }

  async function list(call: FreeCall, incoming: IncomingMessage): Promise<unknown> {
    const { ids } = await readJson(incoming);
    if (!Array.isArray(ids) || ids.length > maxIds) throw new AppError('request.notList', { field: 'ids' });
    const names = ids.filter((id) => typeof id === 'string' || typeof id === 'number').map(String);
    const found = await tasks.owned(call.caller.userId, platform, names);
    return found.map((task) => shown(call, task));
  }

  /** Only a hint: what is true is asked of the vendor, so a forged, repeated or late one does no harm. */
  async function notify({ caller }: FreeCall, incoming: IncomingMessage, client: ClientWriter): Promise<undefined> {
    const { id } = await readJson(incoming);
    const task = await own(caller.userId, typeof id === 'number' ? String(id) : typeof id === 'string' ? id : '');
    await look({ taskId: task.task_id, userId: caller.userId });
    client.respond(200, ['content-length', 0], Buffer.alloc(0));
  }

  async function image(exchange: RawExchange): Promise<void> {
    const { incoming, params } = exchange;
    const entry = openRelayCall(exchange);
    const client = new ClientWriter(entry.outgoing, entry.headers);
    const { id = '' } = params;
    try {
      const owner = links.ownerOf(id, queryOf(incoming));
      const found = owner === undefined ? undefined : await tasks.pictureOf(owner, platform, id);
      if (!found) throw new AppError('task.pictureUnknown');
      await files.showPicture(found, client);
    } catch (error) {
      sendRelayError(entry, incoming, error);
    }
  }

  function under(prefix: string): RawRoute[] {
    const route = (method: 'GET' | 'POST', path: string, serveIt: RawRoute['serve']): RawRoute => ({
      method,
      path: `${prefix}/mj/${path}`,
      access: 'key',
      serve: serveIt,
    });
    return [
      ...submitPaths.map((path) => route('POST', path, (exchange) => submit(exchange, jobAt(path, exchange)))),
      route('GET', 'task/:id/fetch', (exchange) =>
        serve(exchange, async (call) => shown(call, await own(call.caller.userId, exchange.params.id ?? ''))),
      ),
      route('POST', 'task/list-by-condition', (exchange) => serve(exchange, (call) => list(call, exchange.incoming))),
      route('GET', 'task/:id/image-seed', (exchange) =>
        serve(exchange, async (call, client) =>
          imageSeed(call, await own(call.caller.userId, exchange.params.id ?? ''), client),
        ),
      ),
      route('POST', 'notify', (exchange) => serve(exchange, (call, client) => notify(call, exchange.incoming, client))),
      { ...route('GET', 'image/:id', image), access: 'public' },
    ];
  }

  return [...under(''), ...under('/:mode')];
}

/** The action is the path behind `/mj/`; a mode may stand before it. */
function jobAt(action: string, { params: { mode } }: RawExchange): NewJob {
  return { kind: midjourneyTask, action, prefix: mode === undefined ? '' : `/${mode}` };
}
