import { z } from 'zod';
import { optionBatchSchema, optionChangeSchema, optionEntrySchema } from '../../schemas/option.ts';
import type { OptionService } from '../../services/option.ts';
import { answers, type ConsoleRoute, consoleRoute } from '../route.ts';

/** Price maps and page texts are long. */
const optionBodyBytes = 1024 * 1024;

export function optionRoutes({ options }: { options: OptionService }): ConsoleRoute[] {
  return [
    consoleRoute({
      method: 'GET',
      path: '/api/option/',
      access: 'root',
      summary: 'List all settings but the secret ones, each as text',
      answer: answers.data(z.array(optionEntrySchema)),
      handle: ({ actor }) => options.entries(actor),
    }),
    consoleRoute({
      method: 'PUT',
      path: '/api/option/',
      access: 'root',
      summary: 'Change one setting; a blank leaves a hidden one as it is',
      bodyLimit: optionBodyBytes,
      body: optionChangeSchema,
      strictBody: true,
      answer: answers.empty,
      handle: ({ actor, body: { key, value, confirmKeepSecret } }) =>
        options.set(actor, key, value, { keepSecret: confirmKeepSecret }),
    }),
    consoleRoute({
      method: 'PUT',
      path: '/api/option/batch',
      access: 'root',
      summary: 'Change several settings, all or none: an address together with the secret that goes there',
      bodyLimit: optionBodyBytes,
      body: optionBatchSchema,
      strictBody: true,
      answer: answers.empty,
      handle: ({ actor, body: { options: entries, confirmKeepSecret } }) =>
        options.setMany(actor, entries, { keepSecret: confirmKeepSecret }),
    }),
    consoleRoute({
      method: 'POST',
      path: '/api/option/rest_model_ratio',
      access: 'root',
      summary: 'Put the model ratios back to the built-in ones',
      answer: answers.empty,
      handle: ({ actor }) => options.reset(actor, 'ModelRatio'),
    }),
  ];
}
