import { z } from 'zod';
import type { ModelService } from '../../services/model/model.ts';
import { modelObject } from '../relay/model-object.ts';
import { type ConsoleRoute, consoleRoute, responses } from '../route.ts';

const permissionSchema = z.object({
  id: z.string(),
  object: z.literal('model_permission'),
  created: z.number(),
  allow_create_engine: z.boolean(),
  allow_sampling: z.boolean(),
  allow_logprobs: z.boolean(),
  allow_search_indices: z.boolean(),
  allow_view: z.boolean(),
  allow_fine_tuning: z.boolean(),
  organization: z.string(),
  group: z.null(),
  is_blocking: z.boolean(),
});

const modelSchema = z.object({
  id: z.string(),
  object: z.literal('model'),
  created: z.number(),
  owned_by: z.string(),
  permission: z.array(permissionSchema),
  root: z.string(),
  parent: z.null(),
});

const namesSchema = z.array(z.string());

/** Model lists for the console's own forms and filters. */
export function consoleModelRoutes({ models }: { models: ModelService }): ConsoleRoute[] {
  return [
    consoleRoute({
      method: 'GET',
      path: '/api/models',
      access: 'user',
      response: responses.data(z.record(z.string(), namesSchema)),
      handle: ({ actor }) => models.presets(actor),
    }),
    consoleRoute({
      method: 'GET',
      path: '/api/user/models',
      access: 'user',
      objects: 'own',
      response: responses.data(namesSchema),
      handle: ({ actor }) => models.openTo(actor),
    }),
    consoleRoute({
      method: 'GET',
      path: '/api/channel/models',
      access: 'admin',
      response: responses.data(z.array(modelSchema)),
      handle: async ({ actor }) => (await models.known(actor)).map(modelObject),
    }),
    consoleRoute({
      method: 'GET',
      path: '/api/channel/models_enabled',
      access: 'admin',
      response: responses.data(namesSchema),
      handle: ({ actor }) => models.enabled(actor),
    }),
  ];
}
