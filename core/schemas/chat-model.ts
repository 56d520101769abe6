const embedding = /embed|bge-(?!rerank)|^m3e|tao-8k|jina-clip/i;
const other =
  /moderation|dall-e|image|tts|whisper|transcribe|audio|realtime|sora|davinci|babbage|gpt-3\.5-turbo-instruct|rerank|cogview|cogvideo|flux|stable-diffusion|sdxl|sensevoice|^mj_|^suno_|swap_face|kling|^veo-/i;

export const isEmbeddingModel = (name: string): boolean => embedding.test(name);

/**
 * The first chat model of a list by its name: providers list everything they have, in any order, and a first call should give words.
 * Without one, the first model; '' for an empty list.
 */
export const chatModelIn = (models: readonly string[]): string =>
  models.find((name) => !isEmbeddingModel(name) && !other.test(name)) ?? models[0] ?? '';
