/** Lists of prices that are known by a name; `packaged` ships with the program. */
export const namedSources = {
  packaged: '',
  litellm: 'https://raw.githubusercontent.com/BerriAI/litellm/main/model_prices_and_context_window.json',
  openrouter: 'https://openrouter.ai/api/v1/models',
  'models.dev': 'https://models.dev/api.json',
} as const;
export type NamedSource = keyof typeof namedSources;
export const sourceNames = Object.keys(namedSources) as NamedSource[];
