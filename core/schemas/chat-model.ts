/** Providers list everything they have, in any order; a first call should be one that answers with words. */
const notForChat =
  /embed|moderation|dall-e|image|tts|whisper|transcribe|audio|realtime|sora|davinci|babbage|instruct|rerank/i;

/** The first model of a list that takes a chat; the first of all where none looks like it, '' where there is none. */
export const chatModelIn = (models: readonly string[]): string =>
  models.find((name) => !notForChat.test(name)) ?? models[0] ?? '';
