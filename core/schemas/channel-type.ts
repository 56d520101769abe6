/** One kind of upstream, as operators choose it by its number. */
export interface ChannelType {
  number: number;
  /** For commands and logs: `azure`. */
  name: string;
  /** Shown to people. */
  label: string;
  /** '' when the operator must give one. */
  defaultBaseUrl: string;
  /** The vendor has no address of its own: the operator's is needed. */
  needsBaseUrl?: boolean;
  /** How a key of several parts is written; keys of other types are one opaque text. */
  keyFormat?: string;
  /** What the channel's `other` field holds, for the types that read it. */
  otherField?: string;
}

/** Numbers and names that operators of this family of gateways know; 28, 29, 30 and 32 were never given out. */
export const channelTypes: readonly ChannelType[] = [
  { number: 1, name: 'openai', label: 'OpenAI', defaultBaseUrl: 'https://api.openai.com' },
  { number: 2, name: 'midjourney-proxy', label: 'Midjourney Proxy', defaultBaseUrl: 'https://oa.api2d.net' },
  {
    number: 3,
    name: 'azure',
    label: 'Azure OpenAI',
    defaultBaseUrl: '',
    needsBaseUrl: true,
    otherField: 'API version',
  },
  { number: 4, name: 'ollama', label: 'Ollama', defaultBaseUrl: 'http://localhost:11434' },
  {
    number: 5,
    name: 'midjourney-proxy-plus',
    label: 'Midjourney Proxy Plus',
    defaultBaseUrl: 'https://api.openai-sb.com',
  },
  { number: 6, name: 'openaimax', label: 'OpenAIMax', defaultBaseUrl: 'https://api.openaimax.com' },
  { number: 7, name: 'ohmygpt', label: 'OhMyGPT', defaultBaseUrl: 'https://api.ohmygpt.com' },
  { number: 8, name: 'custom', label: 'Custom', defaultBaseUrl: '', needsBaseUrl: true },
  { number: 9, name: 'ails', label: 'AILS', defaultBaseUrl: 'https://api.caipacity.com' },
  { number: 10, name: 'aiproxy', label: 'AI Proxy', defaultBaseUrl: 'https://api.aiproxy.io' },
  { number: 11, name: 'palm', label: 'Google PaLM2', defaultBaseUrl: '' },
  { number: 12, name: 'api2gpt', label: 'API2GPT', defaultBaseUrl: 'https://api.api2gpt.com' },
  { number: 13, name: 'aigc2d', label: 'AIGC2D', defaultBaseUrl: 'https://api.aigc2d.com' },
  { number: 14, name: 'anthropic', label: 'Anthropic Claude', defaultBaseUrl: 'https://api.anthropic.com' },
  {
    number: 15,
    name: 'baidu',
    label: 'Baidu Wenxin',
    defaultBaseUrl: 'https://aip.baidubce.com',
    keyFormat: 'APIKey|SecretKey',
  },
  { number: 16, name: 'zhipu', label: 'Zhipu ChatGLM', defaultBaseUrl: 'https://open.bigmodel.cn' },
  {
    number: 17,
    name: 'qwen',
    label: 'Alibaba Qwen',
    defaultBaseUrl: 'https://dashscope.aliyuncs.com',
    otherField: 'DashScope plugin id',
  },
  {
    number: 18,
    name: 'xunfei',
    label: 'Xunfei Spark',
    defaultBaseUrl: '',
    keyFormat: 'APPID|APISecret|APIKey',
    otherField: 'Spark version',
  },
  { number: 19, name: '360', label: '360', defaultBaseUrl: 'https://api.360.cn' },
  { number: 20, name: 'openrouter', label: 'OpenRouter', defaultBaseUrl: 'https://openrouter.ai/api' },
  {
    number: 21,
    name: 'aiproxy-library',
    label: 'AI Proxy knowledge base',
    defaultBaseUrl: 'https://api.aiproxy.io',
    otherField: 'knowledge base id',
  },
  {
    number: 22,
    name: 'fastgpt',
    label: 'FastGPT knowledge base',
    defaultBaseUrl: 'https://fastgpt.run/api/openapi',
    keyFormat: 'APIKey-AppId',
  },
  {
    number: 23,
    name: 'tencent',
    label: 'Tencent Hunyuan',
    defaultBaseUrl: 'https://hunyuan.tencentcloudapi.com',
    keyFormat: 'AppId|SecretId|SecretKey',
  },
  {
    number: 24,
    name: 'gemini',
    label: 'Google Gemini',
    defaultBaseUrl: 'https://generativelanguage.googleapis.com',
    otherField: 'API version',
  },
  { number: 25, name: 'moonshot', label: 'Moonshot', defaultBaseUrl: 'https://api.moonshot.cn' },
  { number: 26, name: 'zhipu-v4', label: 'Zhipu GLM-4V', defaultBaseUrl: 'https://open.bigmodel.cn' },
  { number: 27, name: 'perplexity', label: 'Perplexity', defaultBaseUrl: 'https://api.perplexity.ai' },
  { number: 31, name: 'yi', label: 'Lingyiwanwu (Yi)', defaultBaseUrl: 'https://api.lingyiwanwu.com' },
  { number: 33, name: 'aws', label: 'AWS Claude', defaultBaseUrl: '', keyFormat: 'Ak|Sk|Region' },
  { number: 34, name: 'cohere', label: 'Cohere', defaultBaseUrl: 'https://api.cohere.ai' },
  { number: 35, name: 'minimax', label: 'MiniMax', defaultBaseUrl: 'https://api.minimax.chat' },
  { number: 36, name: 'suno', label: 'Suno API', defaultBaseUrl: '', needsBaseUrl: true },
  { number: 37, name: 'dify', label: 'Dify', defaultBaseUrl: 'https://api.dify.ai' },
  { number: 38, name: 'jina', label: 'Jina', defaultBaseUrl: 'https://api.jina.ai' },
  {
    number: 39,
    name: 'cloudflare',
    label: 'Cloudflare',
    defaultBaseUrl: 'https://api.cloudflare.com',
    otherField: 'account id',
  },
  { number: 40, name: 'siliconcloud', label: 'SiliconCloud', defaultBaseUrl: 'https://api.siliconflow.cn' },
  {
    number: 41,
    name: 'vertex',
    label: 'Vertex AI',
    defaultBaseUrl: '',
    keyFormat: 'service account JSON',
    otherField: 'region, or a JSON map of model to region with the key default',
  },
  { number: 42, name: 'mistral', label: 'Mistral AI', defaultBaseUrl: 'https://api.mistral.ai' },
  { number: 43, name: 'deepseek', label: 'DeepSeek', defaultBaseUrl: 'https://api.deepseek.com' },
  { number: 44, name: 'mokaai', label: 'MokaAI M3E', defaultBaseUrl: 'https://api.moka.ai' },
  { number: 45, name: 'volcengine', label: 'VolcEngine (Doubao)', defaultBaseUrl: 'https://ark.cn-beijing.volces.com' },
  { number: 46, name: 'baidu-v2', label: 'Baidu Qianfan V2', defaultBaseUrl: 'https://qianfan.baidubce.com' },
  { number: 47, name: 'xinference', label: 'Xinference', defaultBaseUrl: '', needsBaseUrl: true },
  { number: 48, name: 'xai', label: 'xAI', defaultBaseUrl: 'https://api.x.ai' },
];

const typesByNumber: ReadonlyMap<number, ChannelType> = new Map(channelTypes.map((type) => [type.number, type]));
const typesByName: ReadonlyMap<string, ChannelType> = new Map(channelTypes.map((type) => [type.name, type]));

export function channelTypeOf(number: number): ChannelType | undefined {
  return typesByNumber.get(number);
}

/** Reads a type given as text: its number or its name. */
export function findChannelType(text: string): ChannelType | undefined {
  return typesByName.get(text.toLowerCase()) ?? (/^\d+$/.test(text) ? typesByNumber.get(Number(text)) : undefined);
}
