import { useId } from 'react';

/** Fills for what is drawn of a time that is not over yet, by the color of each part. */
export function useHatch(colors: string[]) {
  const id = useId().replace(/\W/g, '');
  const fills = new Map(colors.map((color, index) => [color, `hatch-${id}-${index}`]));
  const hatch = (
    <svg width={0} height={0} style={{ position: 'absolute' }} aria-hidden="true">
      <defs>
        {[...fills].map(([color, name]) => (
          <pattern
            key={name}
            id={name}
            width={6}
            height={6}
            patternUnits="userSpaceOnUse"
            patternTransform="rotate(45)"
          >
            <rect width={6} height={6} fill={color} fillOpacity={0.2} />
            <rect width={2.5} height={6} fill={color} />
          </pattern>
        ))}
      </defs>
    </svg>
  );
  return { hatch, fillOf: (color: string) => `url(#${fills.get(color)})` };
}
