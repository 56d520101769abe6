import { urlSegment } from '../base-url.ts';

/** Ends of the older interface's addresses (Baidu sheet); every other model is named by itself in lower case. */
const endpoints: Record<string, string> = {
  'ERNIE-4.0': 'completions_pro',
  'ERNIE-4.0-8K': 'completions_pro',
  'ERNIE-Bot-4': 'completions_pro',
  'ERNIE-4.0-8K-Preview-0518': 'completions_adv_pro',
  'ERNIE-3.5-8K': 'completions',
  'ERNIE-Bot': 'completions',
  'ERNIE-Bot-8K': 'ernie_bot_8k',
  'ERNIE-Speed': 'ernie_speed',
  'ERNIE-Speed-8K': 'ernie_speed',
  'ERNIE-Bot-turbo': 'eb-instant',
  'ERNIE-Lite-8K-0922': 'eb-instant',
  'ERNIE-Speed-AppBuilder': 'ai_apaas',
  'ERNIE-Lite-AppBuilder-8K-0614': 'ai_apaas_lite',
  'ERNIE-Character-8K': 'ernie-char-8k',
  'ERNIE-Function-8K': 'ernie-func-8k',
  'BLOOMZ-7B': 'bloomz_7b1',
  'Meta-Llama-3-8B': 'llama_3_8b',
  'Meta-Llama-3-70B': 'llama_3_70b',
  'Mixtral-8x7B-Instruct': 'mixtral_8x7b_instruct',
  'Yi-34B-Chat': 'yi_34b_chat',
  'bge-large-zh': 'bge_large_zh',
  'bge-large-en': 'bge_large_en',
  'tao-8k': 'tao_8k',
};

const root = '/rpc/2.0/ai_custom/v1/wenxinworkshop';

export function endpointPath(model: string): string {
  const kind = /^(Embedding|bge-large|tao-8k)/.test(model) ? 'embeddings' : 'chat';
  const known = Object.hasOwn(endpoints, model) ? endpoints[model] : undefined;
  return `${root}/${kind}/${known ?? urlSegment(model.toLowerCase())}`;
}

/** Only these families were taught to call functions. */
export function callsFunctions(model: string): boolean {
  return /^ERNIE-(3\.5|4\.0|Function|Bot(-4|-8K)?$)/i.test(model);
}
