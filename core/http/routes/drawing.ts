import { z } from 'zod';
import { drawingQuery, drawingSchema, ownDrawingQuery } from '../../schemas/drawing.ts';
import { canceledTaskSchema, taskParams } from '../../schemas/task.ts';
import type { TaskCancelService } from '../../services/task/cancel.ts';
import type { DrawingService } from '../../services/task/drawing.ts';
import { reasonIn } from '../../services/task/reason.ts';
import { type ConsoleRoute, consoleRoute, responses } from '../route.ts';

interface DrawingRouteDependencies {
  drawings: DrawingService;
  taskCancel: TaskCancelService;
}

export function drawingRoutes({ drawings, taskCancel }: DrawingRouteDependencies): ConsoleRoute[] {
  return [
    consoleRoute({
      method: 'GET',
      path: '/api/mj/',
      access: 'admin',
      query: drawingQuery,
      response: responses.data(z.array(drawingSchema)),
      handle: async ({ actor, query, language }) =>
        (await drawings.list(actor, query)).map((one) => reasonIn(language, one)),
    }),
    consoleRoute({
      method: 'GET',
      path: '/api/mj/self',
      access: 'user',
      objects: 'own',
      query: ownDrawingQuery,
      response: responses.data(z.array(drawingSchema)),
      handle: async ({ actor, query, language }) =>
        (await drawings.listOwn(actor, query)).map((one) => reasonIn(language, one)),
    }),
    consoleRoute({
      method: 'POST',
      path: '/api/mj/:id/cancel',
      access: 'user',
      objects: 'ownOrAdmin',
      params: taskParams,
      response: responses.data(canceledTaskSchema),
      handle: async ({ actor, params, language }) =>
        reasonIn(language, await taskCancel.cancel(actor, 'drawing', params.id)),
    }),
  ];
}
