import presets from './channel-models.json' with { type: 'json' };

/** Models offered when an operator adds a channel of a type, by type number. */
const modelsByType: Readonly<Record<string, readonly string[]>> = presets;

export function presetModels(type: number): readonly string[] {
  return Object.hasOwn(modelsByType, String(type)) ? (modelsByType[String(type)] ?? []) : [];
}

/** Type number to models, for the types that have any. */
export function allPresetModels(): Readonly<Record<string, readonly string[]>> {
  return modelsByType;
}
