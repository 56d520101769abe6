import { expect, it } from 'vitest';
import { changeOf } from '../../dashboard/src/pages/overview/change-direction.ts';

it.each([
  { now: 150, before: 100, isShare: false, direction: 'more' },
  { now: 50, before: 100, isShare: false, direction: 'less' },
  { now: 99_949, before: 100_000, isShare: false, direction: 'less' },
  { now: 99_951, before: 100_000, isShare: false, direction: 'same' },
  { now: 100_049, before: 100_000, isShare: false, direction: 'same' },
  { now: 0, before: 0, isShare: false, direction: 'same' },
  { now: 999, before: 100, isShare: false, direction: 'more' },
  { now: 1000, before: 100, isShare: false, direction: 'times' },
  { now: 811_887, before: 1000, isShare: false, direction: 'times' },
  { now: 5, before: 0, isShare: false, direction: 'new' },
  { now: 0, before: 5, isShare: false, direction: 'less' },
  { now: 0.25, before: 0, isShare: true, direction: 'more' },
  { now: 0.2503, before: 0.25, isShare: true, direction: 'same' },
])('a figure of $now after $before (a share: $isShare) is called $direction', ({ now, before, isShare, direction }) => {
  expect(changeOf(now, before, isShare).direction).toBe(direction);
});
