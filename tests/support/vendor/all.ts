import { aiProxyLibrary } from './aiproxy-library.ts';
import { baidu } from './baidu.ts';
import { cloudFixtures } from './cloud.ts';
import { cloudflare } from './cloudflare.ts';
import { cohere } from './cohere.ts';
import { coze } from './coze.ts';
import { difyFixtures } from './dify.ts';
import { fastGpt } from './fastgpt.ts';
import { jina } from './jina.ts';
import { lookAlikes } from './look-alike-list.ts';
import { minimax } from './minimax.ts';
import { ollama, ollamaNative } from './ollama.ts';
import { openAiFixtures } from './openai.ts';
import { palm } from './palm.ts';
import { qwenFixtures } from './qwen.ts';
import { resellers } from './reseller.ts';
import { siliconCloud } from './siliconcloud.ts';
import { tencent } from './tencent.ts';
import { unnumberedVendors } from './unnumbered.ts';
import type { VendorFixture } from './vendor-fixture.ts';
import { xinference } from './xinference.ts';
import { xunfei } from './xunfei.ts';
import { zhipuNewer, zhipuOlder } from './zhipu.ts';

/** Every way in which a channel type is spoken to, in the order of the types. */
export const vendorFixtures: readonly VendorFixture[] = [
  // A line for each, so that they can be added side by side.
  ...openAiFixtures,
  ...unnumberedVendors,
  ...cloudFixtures,
  ...resellers,
  ...lookAlikes,
  aiProxyLibrary,
  ...baidu,
  ...xunfei,
  zhipuOlder,
  zhipuNewer,
  tencent,
  minimax,
  ollama,
  ollamaNative,
  cloudflare,
  cohere,
  ...difyFixtures,
  fastGpt,
  ...palm,
  coze,
  jina,
  ...qwenFixtures,
  siliconCloud,
  xinference,
].sort((left, right) => left.type - right.type || left.variant.localeCompare(right.variant));

/** How tests call a fixture: `type 15 v2`. */
export function nameOf({ type, variant }: VendorFixture): string {
  return variant === '' ? `type ${type}` : `type ${type} ${variant}`;
}
