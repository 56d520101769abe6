import type { ComponentType } from 'react';
import { loadTexts } from '../../i18n/language.ts';
import { lazyPart } from '../lazy-part.tsx';

/** A tab that is fetched when it is opened, together with its texts. */
export function lazyTab<Props extends object>(texts: string[], load: () => Promise<ComponentType<Props>>) {
  return lazyPart(async () => {
    const [component] = await Promise.all([load(), loadTexts(texts)]);
    return component;
  });
}
