import { generate } from 'lean-qr';
import { useMemo } from 'react';

const quiet = 4;

/** Drawn here: the text goes nowhere. */
export const QrCode = ({ text, label }: { text: string; label: string }) => {
  const { path, size } = useMemo(() => {
    const code = generate(text);
    const rows = Array.from({ length: code.size }, (_, y) =>
      Array.from({ length: code.size }, (__, x) => (code.get(x, y) ? `M${x} ${y}h1v1h-1z` : '')).join(''),
    );
    return { path: rows.join(''), size: code.size };
  }, [text]);
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`${-quiet} ${-quiet} ${size + 2 * quiet} ${size + 2 * quiet}`}
      className="size-52 rounded-lg bg-white"
      shapeRendering="crispEdges"
    >
      <path d={path} fill="black" />
    </svg>
  );
};
