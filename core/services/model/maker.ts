/** Who made a model, by the family its name belongs to, whichever channel serves it; undefined where that is not known. */
export function makerOf(model: string): string | undefined {
  const name = model.toLowerCase().replace(/^.*\//, '');
  return makers.find(([, family]) => family.test(name))?.[0];
}

/** The first that fits: what is named after another maker's model stands before it. */
const makers: [maker: string, family: RegExp][] = [
  ['Perplexity', /^(sonar|llama-3(\.1)?-sonar|pplx)/],
  ['Google', /^(gemini|gemma|imagen|veo|palm|chat-bison|text-embedding-004|learnlm)/],
  ['Qwen', /^(qwen|qwq|qvq|wan\d|text-embedding-v\d)/],
  [
    'OpenAI',
    /^(gpt-|chatgpt|o\d|dall-e|whisper|tts-|sora|codex|computer-use|omni-moderation|text-(embedding-(3|ada)|moderation|davinci|curie|babbage|ada)|davinci|curie|babbage|ada$)/,
  ],
  ['Anthropic', /^claude/],
  ['DeepSeek', /^deepseek/],
  ['Mistral', /^(mistral|ministral|magistral|codestral|devstral|pixtral|voxtral|open-mi[sx]tral|mixtral)/],
  ['Meta', /^(llama-?\d|meta-llama|codellama)/],
  ['xAI', /^grok/],
  ['Cohere', /^(command|c4ai|embed-|rerank-(english|multilingual|v\d))/],
  ['Zhipu', /^(glm|chatglm|cogview|cogvideo|embedding-\d)/],
  ['Moonshot', /^(moonshot|kimi)/],
  ['Baidu', /^(ernie|embedding-v1|bge-large|tao-8k|bloomz)/],
  ['iFLYTEK', /^spark/],
  ['Tencent', /^hunyuan/],
  ['ByteDance', /^(doubao|seed)/],
  ['MiniMax', /^(minimax|abab|speech-0)/],
  ['Baichuan', /^baichuan/],
  ['01.AI', /^yi-/],
  ['StepFun', /^step-/],
  ['360', /^360/],
  ['Jina', /^jina/],
  ['BAAI', /^bge/],
  ['Midjourney', /^(mj_|swap_face)/],
  ['Suno', /^suno/],
];
