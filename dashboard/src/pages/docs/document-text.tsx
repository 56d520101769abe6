import { memo, useEffect, useMemo, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { Markdown } from '../../components/markdown.tsx';
import { anchorOf, type Document, placeOf, sectionsOf } from './document.ts';
import { sampleOf } from './sample.ts';

const links = { placeOf, sampleOf, anchorOf };
const Part = memo(({ text }: { text: string }) => <Markdown text={text} document={links} />);

/** Part after part, so that the beginning of a long document can be read at once. */
export function DocumentText({ document: whole }: { document: Document }) {
  const parts = useMemo(
    () => sectionsOf(whole).map(({ heading, text }) => (heading ? `## ${heading}\n${text}` : text)),
    [whole],
  );
  const [count, setCount] = useState(2);
  const isWhole = count >= parts.length;
  useEffect(() => {
    if (isWhole) return;
    const timer = setTimeout(() => setCount(count + 1));
    return () => clearTimeout(timer);
  }, [count, isWhole]);
  useAnchor(isWhole);
  return parts.slice(0, count).map((text) => <Part key={text} text={text} />);
}

/** A link into a document leads to its heading once that is there. */
function useAnchor(isThere: boolean): void {
  const { hash, key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same link pressed again leads there again
  useEffect(() => {
    if (isThere && hash) document.getElementById(decodeURIComponent(hash.slice(1)))?.scrollIntoView();
  }, [isThere, hash, key]);
}
