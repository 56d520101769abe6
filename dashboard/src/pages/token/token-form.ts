import { z } from 'zod';
import {
  commonNameSchema,
  defaultTokenQuota,
  nameTailLength,
  neverExpires,
  type Token,
  type TokenCreate,
  tokenCreateSchema,
} from '../../../../core/schemas/token.ts';
import { readTimeText, timeText } from '../../state/format.ts';

const maxAtOnce = 100;
const { name, allow_ips, group } = tokenCreateSchema.shape;

const fields = z.object({
  name,
  remain_quota: z.number({ error: 'token:form.quotaMissing' }).int({ error: 'token:form.quotaWhole' }),
  unlimited_quota: z.boolean(),
  /** Empty is never. */
  expires: z.string().refine((text) => text.trim() === '' || readTimeText(text) !== undefined, {
    message: 'token:form.expiryFormat',
  }),
  count: z
    .number({ error: 'token:form.countWhole' })
    .int({ error: 'token:form.countWhole' })
    .min(1, { error: 'token:form.countWhole' })
    .max(maxAtOnce, { error: 'token:form.countMost' }),
  model_limits_enabled: z.boolean(),
  model_limits: z.array(z.string()),
  allow_ips,
  group,
});

/** The token as people fill it in: a time as text, models as a list, and how many of it. */
export const tokenFormSchema = (token: Pick<Token, 'remain_quota' | 'unlimited_quota' | 'expired_time'> | undefined) =>
  z.preprocess((form: z.input<typeof fields>) => withoutLimit(form, token?.remain_quota), checked(token));

/** The inputs of quota and count are off while the token is unlimited: what is wrong in them could not be mended there. */
function withoutLimit(form: z.input<typeof fields>, quota = defaultTokenQuota): z.input<typeof fields> {
  const { remain_quota, count } = fields.shape;
  if (!form.unlimited_quota) return form;
  return {
    ...form,
    remain_quota: remain_quota.safeParse(form.remain_quota).data ?? quota,
    count: count.safeParse(form.count).data ?? 1,
  };
}

const checked = (token: Parameters<typeof tokenFormSchema>[0]) =>
  fields
    .superRefine(({ name, count, unlimited_quota }, context) => {
      if (count === 1 || unlimited_quota) return;
      const [issue] = commonNameSchema.safeParse(name).error?.issues ?? [];
      if (issue) context.addIssue({ code: 'custom', path: ['name'], message: issue.message });
    })
    // An unlimited token counts down below 0, and the last call of a limited one may cost more than was left: that stays as it is.
    .refine(
      ({ remain_quota, unlimited_quota }) =>
        unlimited_quota ||
        remain_quota >= 0 ||
        (token?.unlimited_quota === false && remain_quota === token.remain_quota),
      { path: ['remain_quota'], message: 'token:form.quotaNegative' },
    )
    // One that has expired may stay so.
    .refine(
      ({ expires }) => {
        const time = readTimeText(expires) ?? Number.POSITIVE_INFINITY;
        return time > Date.now() / 1000 || time === token?.expired_time;
      },
      { path: ['expires'], message: 'token:form.expiryPast' },
    );
export type TokenForm = z.output<typeof fields>;

export function tokenFormValues(token: Token | undefined) {
  return {
    name: token?.name ?? '',
    remain_quota: token?.remain_quota ?? defaultTokenQuota,
    unlimited_quota: token?.unlimited_quota ?? false,
    expires: token && token.expired_time !== neverExpires ? timeText(token.expired_time) : '',
    count: 1,
    model_limits_enabled: token?.model_limits_enabled ?? false,
    model_limits: token?.model_limits.split(',').filter(Boolean) ?? [],
    allow_ips: token?.allow_ips ?? '',
    group: token?.group ?? '',
  };
}

/** Some or all fields of the form in the API's spelling. */
export function toTokenFields({ expires, model_limits, count: _count, ...fields }: Partial<TokenForm>) {
  return {
    ...fields,
    ...(expires !== undefined && { expired_time: readTimeText(expires) ?? neverExpires }),
    ...(model_limits !== undefined && { model_limits: model_limits.join(',') }),
  };
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** All tokens of one order: the first bears the name, each further one a tail of its own. */
export function tokensOf(form: TokenForm): TokenCreate[] {
  const count = form.unlimited_quota ? 1 : form.count;
  const fields = toTokenFields(form) as TokenCreate;
  return Array.from({ length: count }, (_, index) => ({
    ...fields,
    name: index === 0 ? form.name : `${form.name}-${randomTail()}`,
  }));
}

function randomTail(): string {
  const numbers = crypto.getRandomValues(new Uint32Array(nameTailLength));
  return [...numbers].map((number) => letters[number % letters.length]).join('');
}
