import type { ReactNode } from 'react';
import { useEnvironment, useTone } from '../environment.ts';
import { pad, widthOf, wrap } from '../fit.ts';
import type { Hint } from '../hint.ts';
import { keyLayer, onKeys, useKeys } from '../hooks/use-keys.tsx';
import { useNavigation } from '../hooks/use-navigation.tsx';
import { useBodySize } from '../hooks/use-size.ts';
import { Lines } from './lines.tsx';

/** A label with what is behind it; '' as label for lines of their own. */
export type Detail = [label: string, value: string];

/** What one can go on to from a thing. */
export interface DetailLink extends Hint {
  open(): ReactNode;
}

interface DetailsProps {
  title: string;
  details: Detail[];
  /** Enter opens the first of them. */
  links?: DetailLink[];
}

const widestLabel = 24;
const noLinks: DetailLink[] = [];

/** All there is to know of one thing; values of any length. */
export function Details({ title, details, links = noLinks }: DetailsProps) {
  const { width } = useBodySize();
  const { symbols } = useEnvironment();
  const { push } = useNavigation();
  const lines = useDetailLines(details, width);
  const keys = links.map(({ key, open }): [string, () => void] => [key, () => push(open())]);
  const [first] = keys;
  useKeys(onKeys({ ...Object.fromEntries(keys), enter: first?.[1] }), { layer: keyLayer.pane });
  const hints = links.map(({ key, label }, index) => ({ key: index === 0 ? `${symbols.enter} ${key}` : key, label }));
  return <Lines title={` ${title}`} lines={lines} hints={hints} />;
}

/** Labels and values below each other, each line no wider than `width`. */
export function useDetailLines(details: Detail[], width: number): string[] {
  const tone = useTone();
  const room = Math.min(widestLabel, Math.max(0, ...details.map(([label]) => widthOf(label))));
  return details.flatMap(([label, value]) => {
    const parts = wrap(value === '' && label !== '' ? '-' : value, width - (label === '' ? 2 : room + 4));
    if (label === '') return parts.map((part) => ` ${part}`);
    return parts.map((part, index) => ` ${tone(pad(index === 0 ? label : '', room), 'dim')}  ${part}`);
  });
}
