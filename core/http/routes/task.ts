import { z } from 'zod';
import { AppError } from '../../errors/app-error.ts';
import { ClientWriter } from '../../relay/deliver/client-writer.ts';
import type { TaskFiles } from '../../relay/task/task-file.ts';
import {
  canceledTaskSchema,
  ownTaskQuery,
  taskFileSchema,
  taskParams,
  taskQuery,
  taskSchema,
} from '../../schemas/task.ts';
import type { TaskCancelService } from '../../services/task/cancel.ts';
import { reasonIn } from '../../services/task/reason.ts';
import type { TaskService } from '../../services/task/task.ts';
import { refuseForeignPage } from '../cookie/session-cookie.ts';
import { type ConsoleRoute, consoleRoute, responses } from '../route.ts';

interface TaskRouteDependencies {
  tasks: TaskService;
  taskCancel: TaskCancelService;
  files: Pick<TaskFiles, 'show'>;
}

/** A player that takes nothing for so long has been closed, or will ask for the rest by itself. */
const stalledMs = 120_000;

export function taskRoutes({ tasks, taskCancel, files }: TaskRouteDependencies): ConsoleRoute[] {
  return [
    consoleRoute({
      method: 'GET',
      path: '/api/task/',
      access: 'admin',
      query: taskQuery,
      response: responses.data(z.array(taskSchema)),
      handle: async ({ actor, query, language }) =>
        (await tasks.list(actor, query)).map((one) => reasonIn(language, one)),
    }),
    consoleRoute({
      method: 'GET',
      path: '/api/task/self',
      access: 'user',
      objects: 'own',
      query: ownTaskQuery,
      response: responses.data(z.array(taskSchema)),
      handle: async ({ actor, query, language }) =>
        (await tasks.listOwn(actor, query)).map((one) => reasonIn(language, one)),
    }),
    consoleRoute({
      method: 'GET',
      path: '/api/task/:id/file/:part/:kind',
      // Players and pictures of a page send the cookie and no header.
      access: 'session',
      objects: 'ownOrAdmin',
      params: taskFileSchema,
      response: responses.text,
      async handle({ params, headers, visitor, reply }) {
        refuseForeignPage(headers);
        const actor = await visitor();
        if (!actor) throw new AppError('session.missing');
        const found = await tasks.file(actor, params);
        const client = new ClientWriter(reply.raw, [], stalledMs);
        await files.show(found, client, headers.range);
        return reply.hijack();
      },
    }),
    consoleRoute({
      method: 'POST',
      path: '/api/task/:id/cancel',
      access: 'user',
      objects: 'ownOrAdmin',
      params: taskParams,
      response: responses.data(canceledTaskSchema),
      handle: async ({ actor, params, language }) =>
        reasonIn(language, await taskCancel.cancel(actor, 'task', params.id)),
    }),
  ];
}
