/** A vendor by the name another gateway gives it: a type of ours, and where it speaks OpenAI's protocol under an address of its own. */
export interface Vendor {
  type: string;
  base_url?: string;
  /** It has no address of its own. */
  needsBase?: true;
  /** Runs without a key. */
  isKeyless?: true;
}

const own = (type: string): Vendor => ({ type });
const compatible = (base_url: string): Vendor => ({ type: 'openai', base_url });
const local: Vendor = { type: 'openai', needsBase: true, isKeyless: true };

const vendors: Record<string, Vendor> = {
  openai: own('openai'),
  'text-completion-openai': own('openai'),
  azure: { type: 'azure', needsBase: true },
  'azure-openai': { type: 'azure', needsBase: true },
  anthropic: own('anthropic'),
  gemini: own('gemini'),
  google: own('gemini'),
  vertex_ai: own('vertex'),
  'vertex-ai': own('vertex'),
  bedrock: own('aws'),
  mistral: own('mistral'),
  'mistral-ai': own('mistral'),
  deepseek: own('deepseek'),
  cohere: own('cohere'),
  cohere_chat: own('cohere'),
  xai: own('xai'),
  'x-ai': own('xai'),
  perplexity: own('perplexity'),
  'perplexity-ai': own('perplexity'),
  openrouter: own('openrouter'),
  ollama: { type: 'ollama', isKeyless: true },
  ollama_chat: { type: 'ollama', isKeyless: true },
  moonshot: own('moonshot'),
  dashscope: own('qwen'),
  zai: own('zhipu-v4'),
  zhipu: own('zhipu-v4'),
  volcengine: own('volcengine'),
  minimax: own('minimax'),
  jina: own('jina'),
  jina_ai: own('jina'),
  siliconflow: own('siliconcloud'),
  lingyi: own('yi'),
  groq: compatible('https://api.groq.com/openai'),
  together_ai: compatible('https://api.together.xyz'),
  'together-ai': compatible('https://api.together.xyz'),
  fireworks_ai: compatible('https://api.fireworks.ai/inference'),
  'fireworks-ai': compatible('https://api.fireworks.ai/inference'),
  deepinfra: compatible('https://api.deepinfra.com/v1/openai'),
  cerebras: compatible('https://api.cerebras.ai'),
  sambanova: compatible('https://api.sambanova.ai'),
  nebius: compatible('https://api.studio.nebius.ai'),
  novita: compatible('https://api.novita.ai/v3/openai'),
  'novita-ai': compatible('https://api.novita.ai/v3/openai'),
  nvidia_nim: compatible('https://integrate.api.nvidia.com'),
  hosted_vllm: local,
  vllm: local,
  lm_studio: local,
  llamafile: local,
  openai_like: local,
  custom_openai: local,
};

export function vendorOf(name: string): Vendor | undefined {
  return Object.hasOwn(vendors, name) ? vendors[name] : undefined;
}

/** A key of an upstream that asks for none. */
export const noKey = 'none';
