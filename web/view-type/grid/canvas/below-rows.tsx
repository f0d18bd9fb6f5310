// The library draws empty cells down to the bottom of the page. This covers them: below the last record there is nothing.
// (A grid that is only as high as its rows would change its size with every record, and the library follows its size with a
// delay: rows that came stayed undrawn for a while.)
import { useEffect, useRef, useState } from 'react';

let measured: number | undefined;
/** 0 where scrollbars lie over the content. */
const scrollbarHeight = (): number => {
  if (measured === undefined) {
    const probe = document.createElement('div');
    probe.style.cssText = 'position:absolute;visibility:hidden;overflow:scroll;width:50px;height:50px';
    document.body.append(probe);
    measured = probe.offsetHeight - probe.clientHeight;
    probe.remove();
  }
  return measured;
};

interface BelowRowsProps {
  /** Of the header and all rows, and of the columns; in pixels. */
  rowsHeight: number;
  columnsWidth: number;
}

export const BelowRows = ({ rowsHeight, columnsWidth }: BelowRowsProps) => {
  const line = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? 0));
    if (line.current !== null) observer.observe(line.current);
    return () => observer.disconnect();
  }, []);
  return (
    <>
      <div ref={line} className="absolute inset-x-0 top-0 h-0" />
      <div
        data-below-rows
        className="pointer-events-none absolute inset-x-0 bg-surface"
        style={{ top: rowsHeight, bottom: columnsWidth > width ? scrollbarHeight() : 0 }}
      />
    </>
  );
};
