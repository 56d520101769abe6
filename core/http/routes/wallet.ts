import { z } from 'zod';
import { AppError, type Language } from '../../errors/app-error.ts';
import {
  amountResponseSchema,
  amountSchema,
  payResponseSchema,
  paySchema,
  rewardTransferSchema,
} from '../../schemas/wallet.ts';
import type { WalletService } from '../../services/wallet/wallet.ts';
import { textIn } from '../../text/text.ts';
import { type ConsoleRoute, consoleRoute, responses } from '../route.ts';

/** Large enough for every service's report. */
const noticeBytes = 8 * 1024;

/** Buying quota through an Epay service, and earnings from invitations (console reference, 8.2 and 6.2). */
export function walletRoutes({ wallet }: { wallet: WalletService }): ConsoleRoute[] {
  const notice = {
    path: '/api/user/epay/notify',
    access: 'public',
    // The signature is checked before anything is read; a busy shop's reports all come from one address.
    rate: 'none',
    bodyLimit: noticeBytes,
    response: responses.text,
    failureText: 'fail',
  } as const;
  const respondToNotice = async (fields: Record<string, string>, address: string) =>
    (await wallet.receiveNotice(fields, address)) ? 'success' : 'fail';
  return [
    consoleRoute({
      method: 'POST',
      path: '/api/user/amount',
      access: 'user',
      objects: 'own',
      body: z.looseObject({}),
      response: responses.whole(amountResponseSchema),
      handle: ({ actor, body, language }) =>
        payResponse(language, async () => ({ data: await wallet.quote(actor, read(amountSchema, body).amount) })),
    }),
    consoleRoute({
      method: 'POST',
      path: '/api/user/pay',
      access: 'user',
      objects: 'own',
      rate: 'critical',
      body: z.looseObject({}),
      response: responses.whole(payResponseSchema),
      handle: ({ actor, body, language }) =>
        payResponse(language, async () => {
          const { fields, url } = await wallet.pay(actor, read(paySchema, body));
          return { data: fields, url };
        }),
    }),
    consoleRoute({
      ...notice,
      method: 'GET',
      query: z.record(z.string(), z.string()),
      handle: ({ query, caller }) => respondToNotice(query, caller.address),
    }),
    consoleRoute({
      ...notice,
      method: 'POST',
      isForm: true,
      body: z.record(z.string(), z.string()),
      handle: ({ body, caller }) => respondToNotice(body, caller.address),
    }),
    consoleRoute({
      method: 'POST',
      path: '/api/user/aff_transfer',
      access: 'user',
      objects: 'own',
      body: rewardTransferSchema,
      response: responses.whole(z.object({ success: z.literal(true), message: z.string() })),
      async handle({ actor, body, language }) {
        await wallet.transferReward(actor, body);
        return { success: true, message: textIn(language, 'notice', 'page.rewardMoved') };
      },
    }),
  ];
}

function read<S extends z.ZodType>(schema: S, body: unknown): z.output<S> {
  const parsed = schema.safeParse(body);
  if (!parsed.success) throw new AppError(refusalOf(parsed.error.issues.map(({ path }) => path[0])));
  return parsed.data;
}

function refusalOf(fields: unknown[]): 'payment.input' | 'payment.method' | 'payment.amount' {
  if (!fields.includes('payment_method')) return 'payment.amount';
  return fields.includes('amount') ? 'payment.input' : 'payment.method';
}

/** Refusals in the shape these two calls have; a database that is away stays a 503. */
async function payResponse<T extends object>(language: Language, work: () => Promise<T>) {
  try {
    return { message: 'success', ...(await work()) };
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    return { message: 'error', data: error.sentence(language) };
  }
}
