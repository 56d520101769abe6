import type { ReasoningWish } from './chat-request.ts';

/** From least to most; protocols and models take a part of the scale. */
export const efforts = ['minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;
export type Effort = (typeof efforts)[number];

/** Up to so many tokens a budget means this effort (conversion matrix, section 5). */
const budgetLimits: readonly [number, Effort][] = [
  [2048, 'low'],
  [8192, 'medium'],
];

/** The effort a wish stands for; undefined when the model is to decide, or not to reason at all. */
export function effortOf({ mode, effort, budget }: ReasoningWish): Effort | undefined {
  if (mode === 'off') return undefined;
  const named = efforts.find((known) => known === effort);
  if (named) return named;
  if (budget === undefined || budget < 0) return undefined;
  return budgetLimits.find(([max]) => budget <= max)?.[1] ?? 'high';
}

/** The nearest offered effort at or below the requested one, else the lowest. */
export function clampEffort(effort: Effort, offered: readonly Effort[]): Effort {
  const wanted = efforts.indexOf(effort);
  const below = offered.filter((candidate) => efforts.indexOf(candidate) <= wanted);
  return below.at(-1) ?? offered[0] ?? effort;
}
