import { z } from 'zod';
import { AppError, type Language } from '../../errors/app-error.ts';
import {
  mailTestSchema,
  optionBatchSchema,
  optionChangeSchema,
  optionDetailSchema,
  optionEntrySchema,
} from '../../schemas/option.ts';
import type { MailTestService } from '../../services/notice/mail-test.ts';
import type { OptionChange, OptionService } from '../../services/option/option.ts';
import type { PriceSettings } from '../../services/pricing/price-setting.ts';
import { ok } from '../console/envelope.ts';
import { type ConsoleRoute, consoleRoute, responses } from '../route.ts';

/** Price maps and page texts are long. */
const optionBodyBytes = 1024 * 1024;
/** The message is not empty where a secret had to go with its address. */
const changed = responses.whole(z.strictObject({ success: z.literal(true), message: z.string() }));

interface OptionRoutesDependencies {
  options: OptionService;
  mailTest: MailTestService;
  priceSettings: Pick<PriceSettings, 'completionRatios'>;
}

export function optionRoutes({ options, mailTest, priceSettings }: OptionRoutesDependencies): ConsoleRoute[] {
  return [
    consoleRoute({
      method: 'GET',
      path: '/api/option/',
      access: 'root',
      response: responses.data(z.array(optionEntrySchema)),
      handle: ({ actor }) => options.entries(actor),
    }),
    consoleRoute({
      method: 'GET',
      path: '/api/option/detail',
      access: 'root',
      response: responses.data(z.array(optionDetailSchema)),
      handle: ({ actor }) => options.details(actor),
    }),
    consoleRoute({
      method: 'GET',
      path: '/api/option/completion_ratio',
      access: 'root',
      response: responses.data(z.record(z.string(), z.number())),
      handle: ({ actor }) => priceSettings.completionRatios(actor),
    }),
    consoleRoute({
      method: 'POST',
      path: '/api/option/test_mail',
      access: 'root',
      rate: 'critical',
      body: mailTestSchema,
      response: responses.empty,
      handle: ({ actor, language, body }) => mailTest.send(actor, language, body),
    }),
    consoleRoute({
      method: 'PUT',
      path: '/api/option/',
      access: 'root',
      bodyLimit: optionBodyBytes,
      body: optionChangeSchema,
      strictBody: true,
      response: changed,
      handle: async ({ actor, language, body: { confirmKeepSecret, ...entry } }) =>
        told(language, await options.setMany(actor, [entry], { keepSecret: confirmKeepSecret })),
    }),
    consoleRoute({
      method: 'PUT',
      path: '/api/option/batch',
      access: 'root',
      bodyLimit: optionBodyBytes,
      body: optionBatchSchema,
      strictBody: true,
      response: changed,
      handle: async ({ actor, language, body: { options: entries, confirmKeepSecret } }) =>
        told(language, await options.setMany(actor, entries, { keepSecret: confirmKeepSecret })),
    }),
    consoleRoute({
      method: 'POST',
      path: '/api/option/rest_model_ratio',
      access: 'root',
      response: responses.empty,
      handle: ({ actor }) => options.reset(actor, 'ModelRatio'),
    }),
  ];
}

const told = (language: Language, { cleared }: OptionChange) => ok(undefined, clearedText(language, cleared));

function clearedText(language: Language, cleared: OptionChange['cleared']): string {
  if (cleared.length === 0) return '';
  return new AppError('option.secretCleared', { secret: cleared.join(', ') }).sentence(language);
}
