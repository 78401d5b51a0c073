import { encodeQR } from 'qr';

interface QrCodeProps {
  text: string;
  /** What it holds, for those who can't scan it. */
  label: string;
  className?: string;
}

/** Dark on white in either scheme, with the margin that cameras need. On a screen nothing is soiled: the coarsest will do. */
export function QrCode({ text, label, className }: QrCodeProps) {
  const modules = encodeQR(text, 'raw', { ecc: 'low', border: 4 });
  const path = modules
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${modules.length} ${modules.length}`}
      shapeRendering="crispEdges"
      className={className}
    >
      <rect width="100%" height="100%" fill="white" />
      <path d={path} fill="black" />
    </svg>
  );
}
