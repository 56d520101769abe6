import { AppError } from '../errors/app-error.ts';
import { defaultYuanPerDollar, isObject, numberAt, simpleBalance } from './balance.ts';
import { joinUrl } from './base-url.ts';
import { defineCompatibleProvider } from './compatible.ts';
import { newerHints } from './vendor-field.ts';

export const siliconCloud = defineCompatibleProvider({
  name: 'siliconcloud',
  label: 'SiliconCloud',
  defaultBaseUrl: 'https://api.siliconflow.cn',
  protocols: ['openai-chat', 'openai-completion', 'openai-embedding', 'openai-speech', 'openai-transcription'],
  unsupported: newerHints,
  errors: [
    { codes: ['30001'], kind: 'balance' },
    { codes: ['20041'], kind: 'policy' },
    // One model is off or needs a verified name; the account serves the others.
    { codes: ['30003'], kind: 'retry' },
  ],
  balance: (base, key, _today, yuanPerDollar = defaultYuanPerDollar) =>
    simpleBalance(joinUrl(base, '/v1/user/info'), key, (body) => {
      if (isObject(body) && body.code !== 20000)
        throw new AppError('provider.badAnswer', { what: 'data.totalBalance' });
      return numberAt(body, 'data', 'totalBalance') / yuanPerDollar;
    }),
});
