import { type ModelSettings, readModelSettings } from '../../providers/model-setting.ts';
import type { OptionService } from '../option/option.ts';

/** The options on single vendors' models: read by every call and changed nearly never. */
export function createModelSettings(options: Pick<OptionService, 'get' | 'onChange'>): () => ModelSettings {
  let settings: ModelSettings | undefined;
  options.onChange(() => {
    settings = undefined;
  });
  return () => {
    settings ??= readModelSettings(options.get);
    return settings;
  };
}
