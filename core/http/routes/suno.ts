import { AppError } from '../../errors/app-error.ts';
import type { FreeCall } from '../../relay/free-call/free-call.ts';
import { reasonIn } from '../../services/task/reason.ts';
import type { TaskStore } from '../../services/task/store.ts';
import { sunoTask } from '../../wire/suno/index.ts';
import { createTaskDoor, type TaskDoorDependencies } from '../relay/task-door.ts';
import type { RawRoute } from '../route.ts';

export interface SunoRouteDependencies extends TaskDoorDependencies {
  tasks: Pick<TaskStore, 'owned'>;
}

const maxIds = 500;
const success = (data: unknown) => ({ code: 'success', message: '', data });

/** Songs and lyrics: started for money, looked up for nothing. */
export function sunoRoutes({ tasks, ...dependencies }: SunoRouteDependencies): RawRoute[] {
  const { submit, serve, readJson } = createTaskDoor(dependencies);

  const find = async ({ caller, language }: FreeCall, ids: string[]) =>
    (await tasks.owned(caller.userId, sunoTask.platform, ids)).map((task) => sunoTask.write(reasonIn(language, task)));

  return [
    {
      method: 'POST',
      path: '/suno/submit/:action',
      access: 'key',
      serve: (exchange) => submit(exchange, { kind: sunoTask, action: exchange.params.action ?? '' }),
    },
    {
      method: 'POST',
      path: '/suno/fetch',
      access: 'key',
      serve: (exchange) =>
        serve(exchange, async (call) => {
          const { ids } = await readJson(exchange.incoming);
          if (!Array.isArray(ids) || ids.length > maxIds) throw new AppError('request.notList', { field: 'ids' });
          const names = ids.filter((id) => typeof id === 'string');
          return success(await find(call, names));
        }),
    },
    {
      method: 'GET',
      path: '/suno/fetch/:id',
      access: 'key',
      serve: (exchange) =>
        serve(exchange, async (call) => {
          const { id = '' } = exchange.params;
          const [task] = await find(call, [id]);
          if (!task) throw new AppError('task.notFound', { id: id.slice(0, 64) });
          return success(task);
        }),
    },
  ];
}
