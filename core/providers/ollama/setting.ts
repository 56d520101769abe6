import { isJsonObject, type JsonObject } from '../../lib/json-value.ts';
import type { ChannelTarget } from '../adapter.ts';

export interface OllamaSetting {
  /** Chat goes to the native route. */
  isNative: boolean;
  /** For the runner, such as `num_ctx`; what a call says itself goes before. */
  options: JsonObject;
  /** How long the model stays loaded: `10m`, or seconds. */
  keepAlive: string | number | undefined;
}

/** The compatible route is told nothing of the runner, so a channel that sets something there is spoken to natively. */
export function readOllamaSetting({ setting }: Pick<ChannelTarget, 'setting'>): OllamaSetting {
  const { native, options, keep_alive: given } = setting;
  const keepAlive = typeof given === 'string' || typeof given === 'number' ? given : undefined;
  return {
    isNative: native === undefined ? isJsonObject(options) || keepAlive !== undefined : native === true,
    options: isJsonObject(options) ? options : {},
    keepAlive,
  };
}
