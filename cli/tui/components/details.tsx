import { useEnvironment, useTone } from '../environment.ts';
import { pad, widthOf, wrap } from '../fit.ts';
import type { Hint } from '../hint.ts';
import { useBodySize } from '../hooks/use-size.ts';
import { Lines } from './lines.tsx';

/** A label with what is behind it; '' as label for lines of their own. */
export type Detail = [label: string, value: string];

interface DetailsProps {
  title: string;
  details: Detail[];
  hints?: Hint[];
}

const widestLabel = 24;

/** All there is to know of one thing; values of any length. */
export function Details({ title, details, hints }: DetailsProps) {
  const { width } = useBodySize();
  const { symbols } = useEnvironment();
  const tone = useTone();
  const room = Math.min(widestLabel, Math.max(0, ...details.map(([label]) => widthOf(label))));
  const lines = details.flatMap(([label, value]) => {
    const parts = wrap(value === '' && label !== '' ? symbols.off : value, width - (label === '' ? 2 : room + 4));
    if (label === '') return parts.map((part) => ` ${part}`);
    return parts.map((part, index) => ` ${tone(pad(index === 0 ? label : '', room), 'dim')}  ${part}`);
  });
  return <Lines title={` ${title}`} lines={lines} {...(hints && { hints })} />;
}
