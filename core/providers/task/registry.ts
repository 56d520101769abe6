import type { TaskAdapter } from './adapter.ts';
import { midjourney, midjourneyPlus } from './midjourney/index.ts';
import { openaiVideo } from './openai-video/index.ts';
import { suno } from './suno/index.ts';
import { zhipuVideo } from './zhipu-video/index.ts';

/** Adapters of paid jobs by channel type number. */
const adapters: ReadonlyMap<number, TaskAdapter> = new Map([
  [1, openaiVideo],
  [2, midjourney],
  [5, midjourneyPlus],
  [26, zhipuVideo],
  [36, suno],
]);

/** Undefined for a type that sells no paid jobs. */
export function taskAdapterFor(type: number): TaskAdapter | undefined {
  return adapters.get(type);
}
