import { useMemo } from 'react';
import type { SystemOverview } from '../../../../core/schemas/overview.ts';
import { assignColors } from '../detail/chart-color.ts';
import { type Unit, usageSeries } from '../detail/usage-series.ts';

/** The sums of the reading as bars; each model has the color it has everywhere. */
export function useSeries({ series, span }: Pick<SystemOverview, 'series' | 'span'>, unit: Unit) {
  return useMemo(() => {
    const drawn = usageSeries(series, span, unit);
    assignColors(drawn.models.map(({ name }) => name));
    return drawn;
  }, [series, span, unit]);
}
