import { encode } from 'uqr';

/** The quiet zone a camera needs, in modules. */
const border = 4;

/** A text as a QR code; dark on white in either theme, for the camera. */
export function QrImage({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { ecc: 'M', border });
  const path = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      width={208}
      height={208}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
