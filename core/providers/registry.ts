import type { ProviderAdapter } from './adapter.ts';
import { azure } from './azure/index.ts';
import { custom } from './custom/index.ts';
import { openai } from './openai/index.ts';

/** Adapters by channel type number. */
const adapters: ReadonlyMap<number, ProviderAdapter> = new Map([
  [1, openai],
  [3, azure],
  [8, custom],
]);

/** Undefined for a type that no adapter serves. */
export function adapterFor(type: number): ProviderAdapter | undefined {
  return adapters.get(type);
}
