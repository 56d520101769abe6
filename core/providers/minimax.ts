import { trimSlash } from './base-url.ts';
import { defineCompatibleProvider } from './compatible.ts';
import { newerHints } from './vendor-field.ts';

/** One chat path for everything; failures come with HTTP 200 and a code in `base_resp`. */
export const minimax = defineCompatibleProvider({
  name: 'minimax',
  label: 'MiniMax',
  defaultBaseUrl: 'https://api.minimax.chat',
  protocols: ['openai-chat'],
  url: (base) => `${trimSlash(base).replace(/\/v1$/, '')}/v1/text/chatcompletion_v2`,
  unsupported: newerHints,
  refused: ['n'],
  adjust: (edits, { fields }) => {
    // Zero is outside the vendor's range.
    if (fields.value('temperature') === 0) edits.set('temperature', 0.01);
    if (fields.value('top_p') === 0) edits.set('top_p', 0.01);
    return undefined;
  },
  errors: [
    { codes: ['1004', '2049'], kind: 'dead' },
    { codes: ['1008', '1028', '1030', '2056'], kind: 'balance' },
    { codes: ['1026', '1027'], kind: 'policy' },
    { codes: ['1039', '1042', '2013', '2061'], kind: 'client' },
    { codes: ['1000', '1001', '1002', '1013', '1024', '1033', '1041', '2045'], kind: 'retry' },
  ],
  modelsUrl: null,
});
