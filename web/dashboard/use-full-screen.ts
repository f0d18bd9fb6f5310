// The dashboard over the whole screen. What opens from it stands beside it in the page, so the page itself goes full screen.
import { useEffect, useRef, useState } from 'react';

export const useFullScreen = () => {
  const place = useRef<HTMLElement>(null);
  const [isFull, setFull] = useState(false);
  useEffect(() => {
    const follow = (): void => {
      if (document.fullscreenElement === null) setFull(false);
    };
    document.addEventListener('fullscreenchange', follow);
    return () => {
      document.removeEventListener('fullscreenchange', follow);
      if (document.fullscreenElement !== null) void document.exitFullscreen().catch(() => undefined);
    };
  }, []);
  const toggle = (): void => {
    const next = !isFull;
    setFull(next);
    // Where the browser does not allow it, such as on some phones, it covers the window.
    const asked = next
      ? document.documentElement.requestFullscreen?.()
      : document.fullscreenElement === null
        ? undefined
        : document.exitFullscreen();
    void asked?.catch(() => undefined);
  };
  return { place, isFull, toggle };
};
