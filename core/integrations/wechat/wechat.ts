import { z } from 'zod';
import { AppError } from '../../errors/app-error.ts';
import type { Outbound } from '../outbound/outbound.ts';
import { openProviderCall, refusal } from '../provider-call.ts';

export interface WeChatDependencies {
  outbound: Pick<Outbound, 'fetchJson'>;
  /** Of the server that speaks with the official account for us. */
  settings(): { address: string; token: string };
}

export interface WeChat {
  /** Whose code it is; each code is good once and for three minutes. Throws `outside.code` for a wrong one. */
  openIdOf(code: string): Promise<string>;
}

/** Status 200 whatever became of it; an unknown code is a success without data. */
const responseSchema = z.object({
  success: z.boolean(),
  message: z.string().default(''),
  data: z.string().nullish(),
});

export function createWeChat({ outbound, settings }: WeChatDependencies): WeChat {
  return {
    async openIdOf(code) {
      if (code === '') throw new AppError('outside.code', { provider: 'WeChat' });
      const { address, token } = settings();
      const call = openProviderCall({ outbound, provider: 'WeChat', profile: 'operatorPrivate' });
      const question = `${address.replace(/\/+$/, '')}/api/wechat/user?code=${encodeURIComponent(code)}`;
      const response = await call(question, { headers: { authorization: token }, response: responseSchema });
      if (!response.success) throw refusal('WeChat', response.message);
      if (!response.data) throw new AppError('outside.code', { provider: 'WeChat' });
      return response.data;
    },
  };
}
