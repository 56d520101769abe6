import { type ComponentType, lazy } from 'react';
import { loadTexts } from '../../i18n/language.ts';

/** A tab that is fetched when it is opened, together with its texts. */
export function lazyTab<Props extends object>(texts: string[], load: () => Promise<ComponentType<Props>>) {
  return lazy(async () => {
    const [component] = await Promise.all([load(), loadTexts(texts)]);
    return { default: component };
  });
}
