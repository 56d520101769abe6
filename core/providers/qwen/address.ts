import { trimSlash } from '../base-url.ts';
import { typeFacts } from '../type-fact.ts';

export const { label: qwenLabel } = typeFacts(17);
const { defaultBaseUrl } = typeFacts(17);

/** An address may end in either of the two ways to speak to it. */
export function rootOf(base: string): string {
  return trimSlash(base || defaultBaseUrl).replace(/\/(compatible-mode(\/v1)?|api\/v1)$/, '');
}

const internetSuffix = '-internet';

/** The vendor's name of a model that is to search the web, undefined for one that is not. */
export function searchingModel(model: string): string | undefined {
  return model.endsWith(internetSuffix) ? model.slice(0, -internetSuffix.length) : undefined;
}
