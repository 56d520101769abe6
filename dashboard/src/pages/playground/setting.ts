import { createStoredValue } from '../../state/stored-value.ts';

export interface PlaygroundSettings {
  model: string;
  /** '' is the group of the account. */
  group: string;
  /** 0, below what the slider offers, until the user moves it (G-270). */
  temperature: number;
  /** 0 leaves it to the model. */
  maxTokens: number;
  system: string;
}

/** Operations spec, section 9. */
const defaults: PlaygroundSettings = { model: 'gpt-4o-mini', group: '', temperature: 0, maxTokens: 0, system: '' };

export const playgroundSettings = createStoredValue<PlaygroundSettings>('playground-settings', (value) => {
  const kept = (value ?? {}) as Partial<Record<keyof PlaygroundSettings, unknown>>;
  const text = (name: 'model' | 'group' | 'system') => {
    const one = kept[name];
    return typeof one === 'string' ? one : defaults[name];
  };
  const count = (name: 'temperature' | 'maxTokens') => {
    const one = kept[name];
    return typeof one === 'number' && one >= 0 ? one : defaults[name];
  };
  return {
    model: text('model'),
    group: text('group'),
    system: text('system'),
    temperature: count('temperature'),
    maxTokens: count('maxTokens'),
  };
});
