/** Providers list everything they have, in any order; a first call should be one that answers with words. */
const notForChat =
  /embed|moderation|dall-e|image|tts|whisper|transcribe|audio|realtime|sora|davinci|babbage|instruct|rerank/i;

/** The first chat model of a list by its name; without one, the first model; '' for an empty list. */
export const chatModelIn = (models: readonly string[]): string =>
  models.find((name) => !notForChat.test(name)) ?? models[0] ?? '';
