import { z } from 'zod';
import { drawingQuery, drawingSchema, ownDrawingQuery } from '../../schemas/drawing.ts';
import type { DrawingService } from '../../services/drawing.ts';
import { answers, type ConsoleRoute, consoleRoute } from '../route.ts';

export function drawingRoutes({ drawings }: { drawings: DrawingService }): ConsoleRoute[] {
  return [
    consoleRoute({
      method: 'GET',
      path: '/api/mj/',
      access: 'admin',
      summary: 'List everybody’s drawings, newest first',
      query: drawingQuery,
      answer: answers.data(z.array(drawingSchema)),
      handle: ({ actor, query }) => drawings.list(actor, query),
    }),
    consoleRoute({
      method: 'GET',
      path: '/api/mj/self',
      access: 'user',
      objects: 'own',
      summary: 'List the own drawings, newest first',
      query: ownDrawingQuery,
      answer: answers.data(z.array(drawingSchema)),
      handle: ({ actor, query }) => drawings.listOwn(actor, query),
    }),
  ];
}
