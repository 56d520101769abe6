import type { ChannelType } from './channel-type-description.ts';

/** Numbers and names that operators of this family of gateways know; 28, 29, 30 and 32 were never given out. */
export const channelTypes: readonly ChannelType[] = [
  {
    ...{ number: 1, name: 'openai', label: 'OpenAI', defaultBaseUrl: 'https://api.openai.com' },
    hasOrganization: true,
  },
  {
    ...{ number: 2, name: 'midjourney-proxy', label: 'Midjourney Proxy', defaultBaseUrl: 'https://oa.api2d.net' },
    hasFixedModels: true,
  },
  {
    ...{ number: 3, name: 'azure', label: 'Azure OpenAI', defaultBaseUrl: '', needsBaseUrl: true },
    about: {
      en: 'The model name is the deployment name without dots. If your deployment has another name, use the model mapping.',
      zh: '模型名称即部署名称（不含点号），不一致时请使用模型映射。',
    },
    baseUrl: {
      label: { en: 'AZURE_OPENAI_ENDPOINT', zh: 'AZURE_OPENAI_ENDPOINT' },
      hint: { en: 'Such as https://NAME.openai.azure.com', zh: '例如 https://NAME.openai.azure.com' },
    },
    other: {
      label: { en: 'Default API version', zh: '默认 API 版本' },
      hint: { en: 'Used when a call names no api-version', zh: '请求未指定 api-version 时使用' },
      default: '2023-06-01-preview',
      example: '2023-06-01-preview',
    },
  },
  { number: 4, name: 'ollama', label: 'Ollama', defaultBaseUrl: 'http://localhost:11434' },
  {
    ...{ number: 5, name: 'midjourney-proxy-plus', label: 'Midjourney Proxy Plus' },
    ...{ defaultBaseUrl: 'https://api.openai-sb.com', hasFixedModels: true },
  },
  { number: 6, name: 'openaimax', label: 'OpenAIMax', defaultBaseUrl: 'https://api.openaimax.com' },
  { number: 7, name: 'ohmygpt', label: 'OhMyGPT', defaultBaseUrl: 'https://api.ohmygpt.com' },
  {
    ...{ number: 8, name: 'custom', label: 'Custom', labelZh: '自定义渠道', defaultBaseUrl: '' },
    ...{ needsBaseUrl: true },
    about: {
      en: 'Enter the full address; it may contain the variable {model}. The extra setting force_format rewrites answers that only nearly follow the OpenAI format.',
      zh: '地址须完整，可包含变量 {model}。额外设置可用 force_format 改写不完全符合格式的响应。',
    },
    baseUrl: {
      label: { en: 'Full address', zh: '完整地址' },
      hint: {
        en: 'Such as https://example.com/v1/{model}/chat/completions',
        zh: '例如 https://example.com/v1/{model}/chat/completions',
      },
    },
  },
  { number: 9, name: 'ails', label: 'AILS', defaultBaseUrl: 'https://api.caipacity.com' },
  { number: 10, name: 'aiproxy', label: 'AI Proxy', defaultBaseUrl: 'https://api.aiproxy.io' },
  {
    ...{ number: 11, name: 'palm', label: 'Google PaLM2', isRetired: true },
    defaultBaseUrl: 'https://generativelanguage.googleapis.com',
    about: {
      en: 'Google has shut down the PaLM API; only Gemini models still answer. Use type 24, Google Gemini.',
      zh: 'Google 已停用 PaLM API，仅 Gemini 模型仍可使用；请改用类型 24（Google Gemini）。',
    },
  },
  { number: 12, name: 'api2gpt', label: 'API2GPT', defaultBaseUrl: 'https://api.api2gpt.com' },
  { number: 13, name: 'aigc2d', label: 'AIGC2D', defaultBaseUrl: 'https://api.aigc2d.com' },
  {
    ...{ number: 14, name: 'anthropic', label: 'Anthropic Claude', defaultBaseUrl: 'https://api.anthropic.com' },
  },
  {
    ...{ number: 15, name: 'baidu', label: 'Baidu Wenxin', labelZh: '百度文心千帆' },
    ...{ defaultBaseUrl: 'https://aip.baidubce.com', keyFormat: 'APIKey|SecretKey' },
  },
  {
    ...{ number: 16, name: 'zhipu', label: 'Zhipu ChatGLM', labelZh: '智谱 ChatGLM' },
    defaultBaseUrl: 'https://open.bigmodel.cn',
  },
  {
    ...{ number: 17, name: 'qwen', label: 'Alibaba Qwen', labelZh: '阿里通义千问' },
    ...{ defaultBaseUrl: 'https://dashscope.aliyuncs.com' },
    other: {
      label: { en: 'DashScope plugin ID', zh: 'DashScope 插件 ID' },
      hint: { en: 'Optional', zh: '可不填' },
    },
  },
  {
    ...{ number: 18, name: 'xunfei', label: 'Xunfei Spark', labelZh: '讯飞星火认知', defaultBaseUrl: '' },
    keyFormat: 'APPID|APISecret|APIKey',
    other: {
      label: { en: 'Spark version', zh: '模型版本' },
      hint: { en: 'The version in the address, such as v3.5', zh: '接口地址中的版本号，例如 v3.5' },
      default: 'v2.1',
      example: 'v2.1',
    },
  },
  { number: 19, name: '360', label: '360', labelZh: '360 智脑', defaultBaseUrl: 'https://api.360.cn' },
  {
    ...{ number: 20, name: 'openrouter', label: 'OpenRouter', defaultBaseUrl: 'https://openrouter.ai/api' },
  },
  {
    ...{ number: 21, name: 'aiproxy-library', label: 'AI Proxy knowledge base', labelZh: '知识库：AI Proxy' },
    defaultBaseUrl: 'https://api.aiproxy.io',
    other: {
      label: { en: 'Knowledge base ID', zh: '知识库 ID' },
      hint: { en: 'The knowledge base to ask', zh: '要查询的知识库' },
      isNeeded: true,
    },
  },
  {
    ...{ number: 22, name: 'fastgpt', label: 'FastGPT knowledge base', labelZh: '知识库：FastGPT' },
    ...{ defaultBaseUrl: 'https://fastgpt.run/api/openapi', keyFormat: 'APIKey-AppId' },
    baseUrl: {
      label: { en: 'Private deployment address', zh: '私有部署地址' },
      hint: { en: 'Such as https://fastgpt.run/api/openapi', zh: '例如 https://fastgpt.run/api/openapi' },
    },
  },
  {
    ...{ number: 23, name: 'tencent', label: 'Tencent Hunyuan', labelZh: '腾讯混元' },
    ...{ defaultBaseUrl: 'https://hunyuan.tencentcloudapi.com', keyFormat: 'AppId|SecretId|SecretKey' },
  },
  {
    ...{ number: 24, name: 'gemini', label: 'Google Gemini' },
    defaultBaseUrl: 'https://generativelanguage.googleapis.com',
    other: {
      label: { en: 'API version', zh: 'API 版本' },
      hint: { en: 'Usually v1beta', zh: '通常为 v1beta' },
      example: 'v1beta',
    },
  },
  {
    ...{ number: 25, name: 'moonshot', label: 'Moonshot', labelZh: '月之暗面 Moonshot' },
    ...{ defaultBaseUrl: 'https://api.moonshot.cn' },
  },
  {
    ...{ number: 26, name: 'zhipu-v4', label: 'Zhipu GLM-4V', labelZh: '智谱 GLM-4V' },
    ...{ defaultBaseUrl: 'https://open.bigmodel.cn' },
  },
  { number: 27, name: 'perplexity', label: 'Perplexity', defaultBaseUrl: 'https://api.perplexity.ai' },
  {
    ...{ number: 31, name: 'yi', label: 'Lingyiwanwu (Yi)', labelZh: '零一万物' },
    defaultBaseUrl: 'https://api.lingyiwanwu.com',
  },
  {
    ...{ number: 33, name: 'aws', label: 'AWS Claude', defaultBaseUrl: '' },
    keyFormat: 'Ak|Sk|Region',
    keyHint: {
      en: 'Append |SessionToken for temporary credentials; a Bedrock API key is ApiKey|Region',
      zh: '临时凭证在末尾加 |SessionToken；Bedrock API 密钥为 ApiKey|Region',
    },
    about: {
      en: 'Models keep the names of Anthropic; the region is part of the key.',
      zh: '模型沿用 Anthropic 的名称，区域写在密钥中。',
    },
    baseUrl: {
      hint: {
        en: 'Leave empty to use the address of the region; only private endpoints need it',
        zh: '留空按区域选择；仅私有端点需要填写',
      },
    },
  },
  { number: 34, name: 'cohere', label: 'Cohere', defaultBaseUrl: 'https://api.cohere.com' },
  { number: 35, name: 'minimax', label: 'MiniMax', defaultBaseUrl: 'https://api.minimax.chat' },
  {
    ...{ number: 36, name: 'suno', label: 'Suno API', defaultBaseUrl: '', needsBaseUrl: true, hasFixedModels: true },
    baseUrl: {
      label: { en: 'Suno address', zh: 'Suno 地址' },
      hint: {
        en: 'Up to the suno path, such as https://example.com',
        zh: '填到 suno 路径之前，例如 https://example.com',
      },
    },
  },
  {
    ...{ number: 37, name: 'dify', label: 'Dify', defaultBaseUrl: 'https://api.dify.ai' },
    other: {
      label: { en: 'Kind of app', zh: '应用类型' },
      hint: { en: 'chat (the default), agent or completion', zh: 'chat（默认）、agent 或 completion' },
      example: 'chat',
    },
  },
  { number: 38, name: 'jina', label: 'Jina', defaultBaseUrl: 'https://api.jina.ai' },
  {
    ...{ number: 39, name: 'cloudflare', label: 'Cloudflare', defaultBaseUrl: 'https://api.cloudflare.com' },
    other: {
      label: { en: 'Account ID', zh: 'Account ID' },
      hint: { en: 'ID of the Cloudflare account', zh: 'Cloudflare 账户 ID' },
      example: '0123456789abcdef0123456789abcdef',
    },
  },
  {
    ...{ number: 40, name: 'siliconcloud', label: 'SiliconCloud', labelZh: '硅基流动 SiliconCloud' },
    ...{ defaultBaseUrl: 'https://api.siliconflow.cn' },
  },
  {
    ...{ number: 41, name: 'vertex', label: 'Vertex AI', defaultBaseUrl: '' },
    keyFormat: 'service account JSON',
    keyHint: {
      en: 'Paste the whole JSON of the service account; it is not split by line',
      zh: '粘贴完整的服务账号 JSON，不按行拆分',
    },
    keyExample: '{"type":"service_account", ...}',
    isKeyDocument: true,
    about: {
      en: 'The key is the JSON of a service account, or an API key of Google Cloud.',
      zh: '密钥为服务账号 JSON，也可使用 Google Cloud API 密钥。',
    },
    baseUrl: { hint: { en: 'Leave empty to use the address of the region', zh: '留空按区域选择' } },
    other: {
      label: { en: 'Region', zh: '部署区域' },
      hint: {
        en: 'A region, or a JSON map of model to region with the key default',
        zh: '区域，或模型到区域的 JSON，须含 default',
      },
      example: 'us-central1',
      isRegion: true,
      isNeeded: true,
    },
  },
  { number: 42, name: 'mistral', label: 'Mistral AI', defaultBaseUrl: 'https://api.mistral.ai' },
  { number: 43, name: 'deepseek', label: 'DeepSeek', defaultBaseUrl: 'https://api.deepseek.com' },
  { number: 44, name: 'mokaai', label: 'MokaAI M3E', defaultBaseUrl: 'https://api.moka.ai' },
  {
    ...{ number: 45, name: 'volcengine', label: 'VolcEngine (Doubao)', labelZh: '火山引擎（豆包）' },
    ...{ defaultBaseUrl: 'https://ark.cn-beijing.volces.com' },
  },
  {
    ...{ number: 46, name: 'baidu-v2', label: 'Baidu Qianfan V2', labelZh: '百度千帆 V2' },
    defaultBaseUrl: 'https://qianfan.baidubce.com',
  },
  { number: 47, name: 'xinference', label: 'Xinference', defaultBaseUrl: '', needsBaseUrl: true },
  { number: 48, name: 'xai', label: 'xAI', defaultBaseUrl: 'https://api.x.ai' },
  {
    ...{ number: 49, name: 'coze', label: 'Coze', labelZh: '扣子 Coze', defaultBaseUrl: 'https://api.coze.cn' },
    other: {
      label: { en: 'Bot ID', zh: '智能体 ID' },
      hint: { en: 'For models whose name is not bot-<id>', zh: '模型名称不是 bot-<id> 时使用' },
    },
  },
];
