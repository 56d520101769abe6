import { z } from 'zod';
import { ownTaskQuery, taskQuery, taskSchema } from '../../schemas/task.ts';
import type { TaskService } from '../../services/task.ts';
import { answers, type ConsoleRoute, consoleRoute } from '../route.ts';

export function taskRoutes({ tasks }: { tasks: TaskService }): ConsoleRoute[] {
  return [
    consoleRoute({
      method: 'GET',
      path: '/api/task/',
      access: 'admin',
      summary: 'List everybody’s tasks such as songs, newest first',
      query: taskQuery,
      answer: answers.data(z.array(taskSchema)),
      handle: ({ actor, query }) => tasks.list(actor, query),
    }),
    consoleRoute({
      method: 'GET',
      path: '/api/task/self',
      access: 'user',
      objects: 'own',
      summary: 'List the own tasks such as songs, newest first',
      query: ownTaskQuery,
      answer: answers.data(z.array(taskSchema)),
      handle: ({ actor, query }) => tasks.listOwn(actor, query),
    }),
  ];
}
