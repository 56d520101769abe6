import type { ProviderAdapter } from './adapter.ts';
import { anthropic } from './anthropic/index.ts';
import { aws } from './aws/index.ts';
import { azure } from './azure/index.ts';
import { cloudflare } from './cloudflare.ts';
import { custom } from './custom/index.ts';
import { gemini } from './gemini/index.ts';
import { minimax } from './minimax.ts';
import { mistral } from './mistral/index.ts';
import { openai } from './openai/index.ts';
import { perplexity } from './perplexity.ts';
import { ai360, baiduV2, deepSeek, fastGpt, mokaAi, moonshot, ollama, xinference, yi } from './plain-vendor.ts';
import { qwen } from './qwen.ts';
import { aigc2d, ails, aiProxy, api2Gpt, ohMyGpt, openaiMax, openRouter } from './reseller.ts';
import { siliconCloud } from './siliconcloud.ts';
import { vertex } from './vertex/index.ts';
import { volcengine } from './volcengine.ts';
import { xai } from './xai.ts';
import { zhipuV4 } from './zhipu/index.ts';

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
  [12, api2Gpt],
  [13, aigc2d],
  [14, anthropic],
  [17, qwen],
  [19, ai360],
  [20, openRouter],
  [22, fastGpt],
  [24, gemini],
  [25, moonshot],
  [26, zhipuV4],
  [27, perplexity],
  [31, yi],
  [33, aws],
  [35, minimax],
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
]);

/** Undefined for a type that no adapter serves. */
export function adapterFor(type: number): ProviderAdapter | undefined {
  return adapters.get(type);
}
