import { describe, expect, it } from 'vitest';
import detail from '../../dashboard/src/i18n/en/detail.json' with { type: 'json' };
import user from '../../dashboard/src/i18n/en/user.json' with { type: 'json' };
import { forecast } from '../../dashboard/src/pages/detail/forecast.ts';

describe('how long a balance lasts', () => {
  it.each([
    [0, 700, 'used up'],
    [500, 0, 'No spending'],
    [40, 700, 'less than a day'],
    [150, 700, 'about 1 day at'],
    [350, 700, 'about {{days}} days'],
    [1_000_000, 700, 'more than a year'],
  ])('is told of %i left and %i spent in a week: %s', (left, spentInWeek, words) => {
    const { key } = forecast({ left, spentInWeek });
    for (const texts of [detail.forecast, user.forecast])
      expect(texts).toHaveProperty(key, expect.stringContaining(words));
  });
});
