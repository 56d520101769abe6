import { AppError } from '../errors/app-error.ts';
import type { ProviderAdapter } from './adapter.ts';
import { aiProxyLibrary } from './aiproxy-library/index.ts';
import { anthropic } from './anthropic/index.ts';
import { aws } from './aws/index.ts';
import { azure } from './azure/index.ts';
import { baidu } from './baidu/index.ts';
import { baiduV2 } from './baidu/v2.ts';
import { cloudflare } from './cloudflare/index.ts';
import { cohere } from './cohere/index.ts';
import { coze } from './coze/index.ts';
import { custom } from './custom/index.ts';
import { dify } from './dify/index.ts';
import { fastGpt } from './fastgpt/index.ts';
import { gemini } from './gemini/index.ts';
import { jina } from './jina.ts';
import { minimax } from './minimax/index.ts';
import { mistral } from './mistral/index.ts';
import { ollama } from './ollama/index.ts';
import { openai } from './openai/index.ts';
import { palm } from './palm.ts';
import { perplexity } from './perplexity.ts';
import { ai360, deepSeek, mokaAi, moonshot, xinference, yi } from './plain-vendor.ts';
import { qwen } from './qwen/index.ts';
import { aigc2d, ails, aiProxy, api2Gpt, ohMyGpt, openaiMax, openRouter } from './reseller.ts';
import { siliconCloud } from './siliconcloud.ts';
import { taskAdapterFor } from './task/registry.ts';
import { tencent } from './tencent/index.ts';
import { vertex } from './vertex/index.ts';
import { volcengine } from './volcengine.ts';
import { xai } from './xai.ts';
import { xunfei } from './xunfei/index.ts';
import { zhipu, zhipuV4 } from './zhipu/index.ts';

/** Adapters by channel type number. */
const adapters: ReadonlyMap<number, ProviderAdapter> = new Map([
  [1, openai],
  [3, azure],
  [4, ollama],
  [6, openaiMax],
  [7, ohMyGpt],
  [8, custom],
  [9, ails],
  [10, aiProxy],
  [11, palm],
  [12, api2Gpt],
  [13, aigc2d],
  [14, anthropic],
  [15, baidu],
  [16, zhipu],
  [17, qwen],
  [18, xunfei],
  [19, ai360],
  [20, openRouter],
  [21, aiProxyLibrary],
  [22, fastGpt],
  [23, tencent],
  [24, gemini],
  [25, moonshot],
  [26, zhipuV4],
  [27, perplexity],
  [31, yi],
  [33, aws],
  [34, cohere],
  [35, minimax],
  [37, dify],
  [38, jina],
  [39, cloudflare],
  [40, siliconCloud],
  [41, vertex],
  [42, mistral],
  [43, deepSeek],
  [44, mokaAi],
  [45, volcengine],
  [46, baiduV2],
  [47, xinference],
  [48, xai],
  [49, coze],
]);

/** Whether calls of a channel of this type can be served at all, those for paid jobs included. */
export function isServed(type: number): boolean {
  return adapters.has(type) || taskAdapterFor(type) !== undefined;
}

/** Whether all that is served are paid jobs, such as drawings: nothing of that is free to try, and no vendor tells models or balance. */
export function servesOnlyJobs(type: number): boolean {
  return !adapters.has(type) && taskAdapterFor(type) !== undefined;
}

/** Whether the vendor says what is left on an account. */
export function tellsBalance(type: number): boolean {
  return adapters.get(type)?.balance !== undefined;
}

/** Whether calls for a model, by its name at the vendor, can be served. */
export function servesModel(type: number, model: string): boolean {
  return isServed(type) && (adapters.get(type)?.serves?.(model) ?? true);
}

/** Throws AppError for a type that no adapter serves. */
export function requireAdapter(type: number): ProviderAdapter {
  const adapter = adapters.get(type);
  if (adapter) return adapter;
  throw new AppError('provider.unknown', { type });
}

/** Undefined for a type that no adapter serves. */
export function adapterFor(type: number): ProviderAdapter | undefined {
  return adapters.get(type);
}
