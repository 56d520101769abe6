import type { OptionShape } from './kind.ts';

/** The tabs of the settings page with their cards, in the order of the page. Groups and prices are on two tabs; `ratio` is their own. */
export const optionTabs = {
  operation: [
    ...(['general', 'quota', 'monitoring', 'limit', 'log', 'dashboard', 'drawing', 'sensitive', 'chat'] as const),
    ...(['group', 'price', 'model'] as const),
  ],
  ratio: ['group', 'price', 'price-sync', 'cache', 'long-prompt', 'surcharge'],
  system: [
    ...(['server', 'worker', 'payment', 'sign-in', 'email', 'mail'] as const),
    ...(['github', 'linux-do', 'wechat', 'telegram', 'oidc', 'turnstile'] as const),
  ],
  other: ['notice', 'system-name', 'logo', 'home-page', 'about', 'footer'],
} as const;

export type OptionTab = keyof typeof optionTabs;
/** Settings that belong together and are saved together. */
export type OptionCard = (typeof optionTabs)[OptionTab][number];

export const optionTabKeys = Object.keys(optionTabs) as OptionTab[];
export const optionCards: OptionCard[] = [...new Set(optionTabKeys.flatMap((tab) => [...optionTabs[tab]]))];

export interface OptionDefinition<T> extends OptionShape<T> {
  card: OptionCard;
}

type OnCard<Shapes> = { [Key in keyof Shapes]: Shapes[Key] extends OptionShape<infer T> ? OptionDefinition<T> : never };

/** The settings of one card, in the order they are shown. */
export function onCard<Shapes extends Record<string, OptionShape<unknown>>>(card: OptionCard, shapes: Shapes) {
  const entries = Object.entries(shapes).map(([key, shape]) => [key, { ...shape, card }]);
  return Object.fromEntries(entries) as OnCard<Shapes>;
}
