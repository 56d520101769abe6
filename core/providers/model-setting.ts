import { type OptionKey, type OptionValues, optionDefinitions } from '../schemas/option.ts';

const keys = [
  'claude.model_headers_settings',
  'claude.default_max_tokens',
  'claude.thinking_adapter_enabled',
  'claude.thinking_adapter_budget_tokens_percentage',
  'gemini.safety_settings',
  'gemini.version_settings',
] as const satisfies readonly OptionKey[];

/** The options that say how single vendors' models are called. */
export type ModelSettings = Pick<OptionValues, (typeof keys)[number]>;

/** The settings as they stand; `get` reads one option. */
export function readModelSettings(get: <K extends OptionKey>(key: K) => OptionValues[K]): ModelSettings {
  return Object.fromEntries(keys.map((key) => [key, get(key)])) as ModelSettings;
}

/** What counts until an operator says otherwise. */
export const defaultModelSettings: ModelSettings = readModelSettings(
  (key) => optionDefinitions[key].default as OptionValues[typeof key],
);

/** A model's own entry of a setting, else the one called `default`. */
export function entryFor<T>(setting: Readonly<Record<string, T>>, model: string): T | undefined {
  return Object.hasOwn(setting, model) ? setting[model] : setting.default;
}
